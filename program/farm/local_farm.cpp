// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/local_farm.h"

#include <gio/gio.h>
#include <glib-unix.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/farm/job/job.h"
#include "program/farm/joining.h"
#include "program/farm/planning.h"
#include "program/output/output_format.h"
#include "program/progress.h"
#include "program/run/output_file.h"
#include "program/run/signals.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;
using mosaic_gst::Owned;

constexpr int kTries = 3;  // of a part whose process says that it may be tried again

struct UnrefObject {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Process = std::unique_ptr<GSubprocess, UnrefObject>;

std::string this_program() {
  const Owned<gchar> path(g_file_read_link("/proc/self/exe", nullptr));
  if (!path) throw Failure("this program does not find itself");
  return path.get();
}

/// Runs the parts of a job as processes, so many at once.
class Processes {
 public:
  Processes(const Job& job, const JobFolder& folder, int count, Progress& progress)
      : job_(job),
        folder_(folder),
        count_(count),
        progress_(progress),
        program_(this_program()),
        loop_(g_main_loop_new(nullptr, FALSE)) {
    for (const int part : missing_parts(job, folder)) left_.push_back({part, 0});
    std::reverse(left_.begin(), left_.end());
  }
  ~Processes() { g_main_loop_unref(loop_); }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// @return whether all parts are made; false: it was interrupted. Throws Failure or TryAgain.
  bool run() {
    std::vector<guint> sources;
    for (const int signal : kEndSignals)
      if (is_noticed(signal))
        sources.push_back(g_unix_signal_add(signal, &Processes::on_signal, this));
    start_some();
    if (!running_.empty()) g_main_loop_run(loop_);
    for (const guint source : sources) g_source_remove(source);
    if (!failure_.empty()) throw Failure(failure_);
    return !stopped_;
  }

 private:
  struct Work {
    int part, tries;
  };
  struct Running {
    Processes* all;
    Process process;
    Work work;
  };

  void start_some() {
    while (!stopped_ && std::ssize(running_) < count_ && !left_.empty()) {
      const Work work = left_.back();
      left_.pop_back();
      start(work);
    }
    show();
    if (running_.empty()) g_main_loop_quit(loop_);
  }

  void start(const Work& work) {
    const std::string part = std::to_string(work.part);
    const int cores = static_cast<int>(g_get_num_processors());
    const std::string threads = "--n-threads=" + std::to_string(std::max(1, cores / count_));
    const char* const command[] = {
        program_.c_str(), "part",    part.c_str(), folder_.path().c_str(),
        threads.c_str(),  "--quiet", nullptr};
    GError* failure = nullptr;
    Process process(g_subprocess_newv(command, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &failure));
    const Owned<GError> error(failure);
    if (error) {
      stop(error->message);
      return;
    }
    running_.push_back(
        std::make_unique<Running>(Running{this, std::move(process), {work.part, work.tries + 1}}));
    g_subprocess_wait_async(running_.back()->process.get(), nullptr, &Processes::on_end,
                            running_.back().get());
  }

  static void on_end(GObject*, GAsyncResult* result, gpointer data) {
    auto* running = static_cast<Running*>(data);
    Processes& self = *running->all;
    GSubprocess* process = running->process.get();
    g_subprocess_wait_finish(process, result, nullptr);
    const int status =
        g_subprocess_get_if_exited(process) ? g_subprocess_get_exit_status(process) : kTryAgain;
    const Work work = running->work;
    std::erase_if(self.running_, [&](const auto& other) { return other.get() == running; });
    if (status == kTryAgain && work.tries < kTries)
      self.left_.push_back(work);
    else if (status != kDone)
      self.stop("part " + std::to_string(work.part) + " could not be made");
    self.start_some();
  }

  static gboolean on_signal(gpointer data) {
    static_cast<Processes*>(data)->stop("");
    return G_SOURCE_CONTINUE;
  }

  /// Has all processes end. @param why empty: somebody wants it
  void stop(const std::string& why) {
    if (failure_.empty() && !stopped_) failure_ = why;
    stopped_ = true;
    for (const auto& running : running_) g_subprocess_send_signal(running->process.get(), SIGTERM);
  }

  void show() {
    const size_t all = job_.parts.size();
    progress_.prepare("parts made: " + std::to_string(all - left_.size() - running_.size()) +
                      " of " + std::to_string(all));
  }

  const Job& job_;
  const JobFolder& folder_;
  int count_;
  Progress& progress_;
  std::string program_, failure_;
  GMainLoop* loop_;
  std::vector<Work> left_;  ///< the next one last
  std::vector<std::unique_ptr<Running>> running_;
  bool stopped_ = false;
};

/// Where a film's job is while it is made.
std::string folder_beside(const std::string& output) {
  const fs::path path = fs::absolute(output);
  return path.parent_path() / ("." + path.filename().string() + ".job");
}

}  // namespace

int make_in_parts(const Options& given) {
  Options options = given;
  // What is wrong with the output is to show now, and not when all parts are made.
  if (options.codec.empty()) options.codec = options.output.ends_with(".webm") ? "vp9" : "h264";
  if (options.show || !OutputFormat::of(options.output, options.codec).is_film())
    throw WrongUsage("--jobs: a film is divided, and the output has to be one");
  { const OutputFile file(options); }
  const JobFolder folder(folder_beside(options.output));
  Progress progress(options.quiet, GST_CLOCK_TIME_NONE);
  const auto kept = [&] {
    return "the parts that are made are kept in " + folder.path() + "; the same command goes on";
  };
  try {
    const Job job = plan_job(options, folder, progress);
    if (job.parts.empty() || !Processes(job, folder, options.jobs, progress).run()) {
      progress.say("stopped: " + kept());
      return kInterrupted;
    }
    const int status = join_job(job, folder, options);
    std::error_code error;
    fs::remove_all(folder.path(), error);
    return status;
  } catch (const WrongUsage&) {
    throw;
  } catch (const Interrupted&) {
    progress.say("stopped: " + kept());
    return kInterrupted;
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + "; " + kept());
  }
}

}  // namespace mosaic_program
