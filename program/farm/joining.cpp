// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/joining.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/farm/job/job_files.h"
#include "program/farm/video/encoded_piece.h"
#include "program/farm/video/fed_pipeline.h"
#include "program/farm/video/joint.h"
#include "program/input/input_path.h"
#include "program/json_text.h"
#include "program/pipeline/part.h"
#include "program/pipeline/plan.h"
#include "program/pipeline/side_streams.h"
#include "program/run/described_film.h"
#include "program/run/flow_count.h"
#include "program/run/mixed_sound.h"
#include "program/run/output_file.h"
#include "program/run/signals.h"
#include "program/run/stream_end.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Where the time of the film begins for encoded frames, so that the first may be decoded earlier:
/// time stamps are not negative. Encoders of GStreamer do the same.
constexpr GstClockTime kOrigin = 1000 * 3600 * GST_SECOND;

std::atomic<bool> interrupted = false;

/// A file with encoded frames that follow each other in the film.
struct Piece {
  std::string path;
  std::string hash;  ///< of EncodedPiece; empty: it was made now
  int64_t first = 0, frames = 0;
};

/// All files that make up the film, in order.
std::vector<Piece> pieces_of(const Job& job, const JobFolder& folder,
                             const std::vector<PartReport>& reports,
                             const std::vector<Joint>& joints) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < job.parts.size(); ++i)
    if (const FrameRange& own = job.parts[i].own; own.size() > 0)
      pieces.push_back(
          {folder.part(static_cast<int>(i), "mkv"), reports[i].hash, own.begin, own.size()});
  for (size_t i = 0; i < joints.size(); ++i)
    pieces.push_back({folder.joint(job, static_cast<int>(i)), "", joints[i].frames.begin,
                      joints[i].frames.size()});
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.first < b.first; });
  int64_t next = 0;
  for (const Piece& piece : pieces) {
    if (piece.first != next) throw Failure("the plan leaves frames out, or has some twice");
    next += piece.frames;
  }
  if (next != std::ssize(job.film)) throw Failure("the plan leaves frames out");
  return pieces;
}

/// The description of a codec that all pieces must share; null: the caps have none.
const GstBuffer* codec_data_of(GstCaps* caps) {
  const GValue* value = gst_structure_get_value(gst_caps_get_structure(caps, 0), "codec_data");
  return value ? gst_value_get_buffer(value) : nullptr;
}

bool is_same(const GstBuffer* a, const GstBuffer* b) {
  if (!a || !b) return a == b;
  GstMapInfo map;
  gst_buffer_map(const_cast<GstBuffer*>(b), &map, GST_MAP_READ);
  const bool same = gst_buffer_get_size(const_cast<GstBuffer*>(a)) == map.size &&
                    gst_buffer_memcmp(const_cast<GstBuffer*>(a), 0, map.data, map.size) == 0;
  gst_buffer_unmap(const_cast<GstBuffer*>(b), &map);
  return same;
}

EncodedPiece read_whole_piece(const Piece& piece) {
  const std::string damaged = piece.path + " is damaged: remove it, and make that part again";
  EncodedPiece encoded;
  try {
    encoded = read_piece(piece.path);
  } catch (const TryAgain&) {
    throw;
  } catch (const Failure& failure) {
    throw Failure(damaged + " (" + failure.what() + ")");
  }
  if (!encoded.caps || (!piece.hash.empty() && encoded.hash() != piece.hash))
    throw Failure(damaged);
  return encoded;
}

void stop_if_interrupted() {
  if (interrupted) throw Interrupted();
}

/// Sends the frames of the pieces, with their times in the film.
class Video {
 public:
  /// @param delay places by which some frames are decoded before they are shown
  Video(const Job& job, int64_t delay) : job_(job), delay_(delay) {
    gst_segment_init(&segment_, GST_FORMAT_TIME);
    segment_.start = kOrigin;
  }

  void send(const Piece& piece, FedPipeline& pipeline, Progress& progress) {
    const EncodedPiece encoded = read_whole_piece(piece);
    if (std::ssize(encoded.packets) != piece.frames)
      throw Failure(piece.path + " has not the frames that were planned");
    if (!caps_) caps_.reset(gst_caps_ref(encoded.caps.get()));
    if (!is_same(codec_data_of(caps_.get()), codec_data_of(encoded.caps.get())))
      throw Failure(piece.path +
                    " was encoded in another way than the parts before it: make it again with "
                    "the same encoder");
    for (size_t i = 0; i < encoded.packets.size(); ++i) {
      Owned<GstBuffer> buffer(gst_buffer_copy(encoded.packets[i].get()));
      stamp(buffer.get(), piece.first + encoded.places[i], piece.first + static_cast<int64_t>(i));
      pipeline.push(
          Owned<GstSample>(gst_sample_new(buffer.get(), caps_.get(), &segment_, nullptr)));
      ++sent_;
    }
    progress.prepare("joining: " + clock_text(shown_at(sent_)) + " of " +
                     clock_text(job_.duration));
  }

 private:
  /// @param frame shown @param place in the order of decoding
  void stamp(GstBuffer* buffer, int64_t frame, int64_t place) const {
    const GstClockTime shown = shown_at(frame);
    GST_BUFFER_PTS(buffer) = kOrigin + shown;
    GST_BUFFER_DURATION(buffer) = shown_at(frame + 1) - shown;
    const int64_t earlier = place - delay_;
    const GstClockTime before =
        earlier >= 0 ? 0 : static_cast<GstClockTime>(-earlier) * (shown_at(1) - shown_at(0));
    GST_BUFFER_DTS(buffer) = kOrigin + shown_at(std::max<int64_t>(earlier, 0)) - before;
  }

  GstClockTime shown_at(int64_t frame) const {
    return frame < std::ssize(job_.film) ? job_.film[frame].shown : job_.duration;
  }

  const Job& job_;
  int64_t delay_, sent_ = 0;
  GstSegment segment_;
  Owned<GstCaps> caps_;
};

/// By how many places a frame is put off, at most, in the parts and the joints.
int64_t delay_of(const std::vector<PartReport>& reports, const JobFolder& folder, const Job& job,
                 size_t joints) {
  int64_t delay = 0;
  for (const PartReport& report : reports) delay = std::max(delay, report.delay);
  for (size_t i = 0; i < joints; ++i)
    delay = std::max(delay, read_piece(folder.joint(job, static_cast<int>(i))).delay());
  return delay;
}

void check_source(const Job& job) {
  const std::string path = input_path(job.uri);
  guint64 bytes = 0;
  if (hash_of_file(path, bytes) != job.source_hash)
    throw Failure(path + " is not what it was when the mosaic was planned");
}

struct Stop {
  FedPipeline& pipeline;
  ~Stop() { pipeline.stop(); }
};

/// Writes the film. @return what is missing in it, in sentences
std::vector<std::string> write(const Job& job, const std::vector<Piece>& pieces, int64_t delay,
                               const Plan& plan, Progress& progress) {
  FedPipeline pipeline(plan.line, kJoinedVideo);
  Part part(pipeline.get(), plan.start);
  SideStreams side_streams(pipeline.get(), GST_CLOCK_TIME_IS_VALID(plan.end) ? plan.end - plan.start
                                                                             : GST_CLOCK_TIME_NONE);
  FlowCount count(pipeline.get());
  Video video(job, delay);
  bool has_ended = false;
  // What watches the pipeline is to outlive its threads.
  const Stop stop{pipeline};
  pipeline.call([&](GstMessage* message) { part.read(message); },
                [&] {
                  stop_if_interrupted();
                  // The sound goes on in the input. It has been read up to here.
                  if (side_streams.has_ended() && !std::exchange(has_ended, true))
                    end_sources(pipeline.get());
                });
  if (GST_CLOCK_TIME_IS_VALID(plan.end)) side_streams.end_with_video();
  pipeline.start();
  for (const Piece& piece : pieces) video.send(piece, pipeline, progress);
  pipeline.end_source();
  pipeline.wait();
  if (const std::string mixed = warning_of_mixed_sound(pipeline.get()); !mixed.empty())
    progress.say("warning: " + mixed);
  if (count.written() != job.film.size())
    throw Failure(std::to_string(job.film.size()) + " frames were made, but " +
                  std::to_string(count.written()) + " written");
  return count.losses(plan, job.uri);
}

void catch_signals() {
  interrupted = false;
  for (const int signal : kEndSignals)
    if (is_noticed(signal)) std::signal(signal, [](int) { interrupted = true; });
}

}  // namespace

std::vector<int> missing_parts(const Job& job, const JobFolder& folder) {
  std::vector<int> missing;
  for (int i = 0; i < static_cast<int>(job.parts.size()); ++i)
    if (!report_of(job, folder, i)) missing.push_back(i);
  return missing;
}

std::string ranges_text(const std::vector<int>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const int first = numbers[i];
    while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1) ++i;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (numbers[i] > first) text += "-" + std::to_string(numbers[i]);
  }
  return text;
}

std::vector<PartReport> reports_of(const Job& job, const JobFolder& folder) {
  std::vector<PartReport> reports;
  for (int i = 0; i < static_cast<int>(job.parts.size()); ++i) {
    std::optional<PartReport> report = report_of(job, folder, i);
    if (!report)
      throw TryAgain("these parts are not made yet: " + ranges_text(missing_parts(job, folder)));
    reports.push_back(std::move(*report));
  }
  return reports;
}

int join_job(const Job& job, const JobFolder& folder, const Options& output) {
  check_versions(job);
  Options options = options_of(job, folder.cache(), output.output);
  options.video_only = false;
  options.start = job.start;
  options.end = job.end;
  OutputFile file(options);
  const Plan plan = make_joined_plan(options, file.path());
  const std::vector<PartReport> reports = reports_of(job, folder);
  Progress progress(output.quiet, job.duration);
  for (const std::string& notice : plan.notices) progress.say(notice);
  check_source(job);
  catch_signals();
  if (const std::string earlier = file.begin(); !earlier.empty())
    progress.say("an earlier run was cut off: what it wrote is in " + earlier);
  const std::vector<Joint> joints = joints_of(job.parts);
  for (size_t i = 0; i < joints.size(); ++i)
    make_joint(job, folder, joints[i], static_cast<int>(i), reports, stop_if_interrupted);
  const int64_t delay = delay_of(reports, folder, job, joints.size());
  std::vector<std::string> losses = job.losses;
  const std::vector<Piece> pieces = pieces_of(job, folder, reports, joints);
  for (std::string& loss : write(job, pieces, delay, plan, progress))
    losses.push_back(std::move(loss));
  if (file.has_other_name()) describe_film(options, file.path(), true, progress);
  for (const std::string& loss : losses) progress.say("warning: " + loss);
  std::string name = output.output;
  // A film in which something is missing does not replace a whole one.
  if (losses.empty() || !file.has_other_name())
    file.keep();
  else
    name = file.keep_part(output.force);
  if (name != output.output)
    progress.say("what was made is in " + name + "; " + output.output + " is as it was");
  if (!output.quiet)
    progress.say(std::to_string(job.film.size()) + " frames of " +
                 std::to_string(job.parts.size()) + " parts: " + name);
  if (output.json)
    std::printf("{\"output\": %s, \"frames\": %zu, \"parts\": %zu}\n", json_text(name).c_str(),
                job.film.size(), job.parts.size());
  return losses.empty() ? kDone : kNotWhole;
}

}  // namespace mosaic_program
