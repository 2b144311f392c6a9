// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/making.h"

#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "program/failure.h"
#include "program/farm/film/frame_tap.h"
#include "program/farm/job/job_files.h"
#include "program/farm/job/planned_photos.h"
#include "program/farm/video/encoded_piece.h"
#include "program/input/input_path.h"
#include "program/pipeline/plan.h"
#include "program/run/run.h"

namespace mosaic_program {
namespace {

/// Options with which the frames of a part reach the element.
Options options_of_part(const Job& job, const JobFolder& folder, const std::string& cache,
                        int number, int threads) {
  const FarmPart& part = job.parts[number];
  Options options = options_of(job, cache, folder.part(number, "mkv"));
  options.properties.emplace_back("n-threads", std::to_string(threads));
  if (part.drawn.begin > 0) options.start = job.film[part.drawn.begin].time;
  if (part.drawn.begin == 0) options.start = job.start;
  options.end = part.drawn.end < std::ssize(job.film) ? job.film[part.drawn.end].time : job.end;
  return options;
}

/// Draws a part's frames into files. @return whether the film gave the frames that were planned
/// @param seek where the film is read from
bool draw(const Job& job, const Options& options, const FarmPart& part, GstClockTime seek,
          const std::string& video, FrameStore& store, std::string& caps, Progress& progress) {
  Plan plan = make_plan(options, video);
  if (plan.encoder != job.encoder)
    throw TryAgain("the job is encoded by " + job.encoder + ", which this machine does not have");
  plan.encoder.clear();  // not all frames reach it
  plan.seek = seek;
  plan.promised = GST_CLOCK_TIME_NONE;
  FrameTap tap(job.film, part, store);
  plan.prepare = [&](GstElement* pipeline) { tap.attach(pipeline, job.encoder); };
  try {
    const Result result = run(plan, options, progress);
    if (tap.has_other_frames()) return false;
    if (!store.failure().empty()) throw TryAgain(store.failure());
    if (result.interrupted) throw Interrupted();
    if (!result.failure.empty() && result.may_pass) throw TryAgain(result.failure);
    if (!result.failure.empty()) throw Failure(result.failure);
  } catch (const Failure&) {
    if (tap.has_other_frames()) return false;
    throw;
  }
  if (!tap.is_whole()) return false;  // a seek has led too far
  caps = tap.caps();
  return true;
}

/// Compares what was written with what was meant.
void check(PartReport& report, const FarmPart& part, const std::string& video) {
  if (report.stored != part.frames.size() - part.own.size())
    throw Failure("not every frame that is to be mixed was stored");
  if (part.own.size() == 0) return;
  report.md5 = md5_of_frames(video, report.frames);
  const EncodedPiece piece = read_piece(video);
  report.hash = piece.hash();
  report.delay = piece.delay();
  if (report.frames != part.own.size() || std::ssize(piece.packets) != part.own.size())
    throw Failure(std::to_string(part.own.size()) + " frames were drawn, but " +
                  std::to_string(report.frames) + " can be read in what was written");
}

/// Whether the film can be read is a matter of the machine, or of time.
void check_film(const Job& job) {
  const std::string path = input_path(job.uri);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || access(path.c_str(), R_OK) != 0)
    throw TryAgain(path + ": " + g_strerror(errno));
  if (static_cast<guint64>(status.st_size) != job.source_bytes)
    throw Failure(path + " is not the film that was planned: it has another size");
}

}  // namespace

PartReport make_part(const Job& job, const JobFolder& folder, int number, int threads,
                     Progress& progress) {
  check_versions(job);
  if (const std::optional<PartReport> made = report_of(job, folder, number)) return *made;
  check_film(job);
  const gint64 start = g_get_monotonic_time();
  const FarmPart& part = job.parts[number];
  const PlannedPhotos photos(job, folder);
  const Options options = options_of_part(job, folder, photos.path(), number, threads);
  const WorkingFile video(folder.part(number, "mkv")), stored(folder.part(number, "frames"));
  PartReport report;
  report.part = number;
  report.job = job.id;
  bool is_drawn = false;
  // Reading from the beginning helps where a film does not say where its frames are.
  for (const GstClockTime seek : {options.start, job.start}) {
    if (is_drawn) break;
    FrameStore store(stored.name());
    is_drawn = draw(job, options, part, seek, video.name(), store, report.caps, progress);
    report.stored = store.count();
  }
  if (!is_drawn)
    throw Failure("the film is not the one that was planned: other frames come from " + job.uri);
  photos.check();
  check(report, part, video.name());
  guint64 bytes = 0;
  if (report.stored > 0) report.stored_hash = hash_of_file(stored.name(), bytes);
  if (part.own.size() > 0) video.finish();
  if (report.stored > 0) stored.finish();
  report.seconds = static_cast<double>(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  save_report(report, folder);
  return report;
}

}  // namespace mosaic_program
