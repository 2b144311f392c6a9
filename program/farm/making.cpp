// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/making.h"

#include <glib.h>
#include <string>

#include "program/failure.h"
#include "program/farm/film/frame_tap.h"
#include "program/farm/job/job_files.h"
#include "program/farm/video/encoded_piece.h"
#include "program/pipeline/plan.h"
#include "program/run/run.h"

namespace mosaic_program {
namespace {

/// Options with which the frames of a part reach the element.
Options options_of_part(const Job& job, const JobFolder& folder, int number, int threads) {
  const FarmPart& part = job.parts[number];
  Options options = options_of(job, folder, folder.part(number, "mkv"));
  options.properties.emplace_back("n-threads", std::to_string(threads));
  if (part.drawn.begin > 0) options.start = job.film[part.drawn.begin].time;
  if (part.drawn.begin == 0) options.start = job.start;
  options.end = part.drawn.end < std::ssize(job.film) ? job.film[part.drawn.end].time : job.end;
  return options;
}

/// Draws a part's frames into files. @return whether the film gave the frames that were planned
/// @param seeks whether the film is read from the part on, and not from its beginning
bool draw(const Job& job, const Options& options, const FarmPart& part, bool seeks,
          const std::string& video, FrameStore& store, std::string& caps, Progress& progress) {
  Plan plan = make_plan(options, video);
  if (plan.encoder != job.encoder)
    throw TryAgain("the job is encoded by " + job.encoder + ", which this machine does not have");
  plan.encoder.clear();  // not all frames reach it
  plan.seeks = seeks;
  plan.promised = GST_CLOCK_TIME_NONE;
  FrameTap tap(job.film, part, store);
  plan.prepare = [&](GstElement* pipeline) { tap.attach(pipeline, job.encoder); };
  try {
    const Result result = run(plan, options, progress);
    if (tap.has_other_frames()) return false;
    if (!store.failure().empty()) throw TryAgain(store.failure());
    if (result.interrupted) throw TryAgain("interrupted");
    if (!result.failure.empty() && result.may_pass) throw TryAgain(result.failure);
    if (!result.failure.empty()) throw Failure(result.failure);
  } catch (const Failure&) {
    if (tap.has_other_frames()) return false;
    throw;
  }
  if (!tap.is_whole()) throw Failure("the film has fewer frames than were planned");
  caps = tap.caps();
  return true;
}

/// Compares what was written with what was meant.
void check(PartReport& report, const FarmPart& part, const std::string& video) {
  if (report.stored != part.frames.size() - part.own.size())
    throw Failure("not every frame that is to be mixed was stored");
  guint64 bytes = 0;
  if (part.own.size() == 0) return;
  report.hash = hash_of_file(video, bytes);
  report.md5 = md5_of_frames(video, report.frames);
  const EncodedPiece piece = read_piece(video);
  report.delay = piece.delay();
  if (report.frames != part.own.size() || std::ssize(piece.packets) != part.own.size())
    throw Failure(std::to_string(part.own.size()) + " frames were drawn, but " +
                  std::to_string(report.frames) + " can be read in what was written");
}

/// Other versions may give other bytes.
void check_versions(const Job& job) {
  if (job.version != MOSAICTEMPORAL_VERSION || job.gstreamer != gstreamer_version())
    throw TryAgain("the job was planned by mosaic-temporal " + job.version + " with GStreamer " +
                   job.gstreamer + "; here they are " + MOSAICTEMPORAL_VERSION + " and " +
                   gstreamer_version());
}

}  // namespace

PartReport make_part(const Job& job, const JobFolder& folder, int number, int threads,
                     Progress& progress) {
  check_versions(job);
  if (const std::optional<PartReport> made = report_of(job, folder, number)) return *made;
  const gint64 start = g_get_monotonic_time();
  const FarmPart& part = job.parts[number];
  const Options options = options_of_part(job, folder, number, threads);
  const WorkingFile video(folder.part(number, "mkv")), stored(folder.part(number, "frames"));
  PartReport report;
  report.part = number;
  report.job = job.id;
  bool is_drawn = false;
  for (const bool seeks : {true, false}) {
    if (is_drawn) break;
    // Reading from the beginning helps where a film does not say where its frames are.
    FrameStore store(stored.name());
    is_drawn = draw(job, options, part, seeks, video.name(), store, report.caps, progress);
    report.stored = store.count();
  }
  if (!is_drawn)
    throw Failure("the film is not the one that was planned: other frames come from " + job.uri);
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
