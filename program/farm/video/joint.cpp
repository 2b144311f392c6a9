// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/video/joint.h"

#include <gst/video/video.h>
#include <unistd.h>

#include <span>
#include <string>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/farm/film/frame_store.h"
#include "program/farm/job/job_files.h"
#include "program/farm/video/fed_pipeline.h"
#include "program/farm/video/mix.h"
#include "program/output/output_format.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr char kFrames[] = "frames";  // the name of the appsrc

/// Where the file of a part's frames has a frame of the film.
int64_t place_of(const FarmPart& part, int64_t frame) {
  if (frame < part.own.begin) return frame - part.frames.begin;
  return frame - part.own.end + part.own.begin - part.frames.begin;
}

PipelineLine line_for(const Job& job, const JobFolder& folder, const std::string& caps,
                      const std::string& file) {
  const Options options = options_of(job, folder.cache(), file);
  const OutputFormat format = OutputFormat::of(file, job.codec);
  PipelineLine line;
  line.link("appsrc").set("name", kFrames).set("format", "time").set("caps", caps);
  if (format.link_encoder(line, options, false).name != job.encoder)
    throw TryAgain("the job is encoded by " + job.encoder + ", which this machine does not have");
  line.to("out", "video_%u");
  format.link_muxer(line, false);
  line.link("filesink").set("location", file);
  return line;
}

/// The stored frames of the parts that a joint mixes.
class Sources {
 public:
  Sources(const Job& job, const JobFolder& folder, const Joint& joint,
          const std::vector<PartReport>& reports, size_t frame_bytes) {
    for (int part = joint.first_part; part <= joint.last_part; ++part) {
      const std::string path = folder.part(part, "frames");
      guint64 bytes = 0;
      // The size is compared first: a report may say anything of a frame's.
      if (hash_of_file(path, bytes) != reports[part].stored_hash ||
          bytes != frame_bytes * static_cast<guint64>(reports[part].stored))
        throw Failure(path + " is damaged: remove it, and make part " + std::to_string(part) +
                      " again");
      stored_.push_back({job.parts[part], weights_of(job.parts, part, job.windows),
                         StoredFrames(path, frame_bytes)});
    }
  }

  void mix_frame(int64_t frame, std::span<uint8_t> mixed) {
    std::vector<WeightedFrame> weighted;
    for (Source& source : stored_) {
      const FrameRange& frames = source.part.frames;
      if (frame < frames.begin || frame >= frames.end) continue;
      if (const int weight = source.weights[frame - frames.begin]; weight > 0)
        weighted.push_back({source.stored.read(place_of(source.part, frame)), weight});
    }
    mix(weighted, mixed);
  }

 private:
  struct Source {
    const FarmPart& part;
    std::vector<uint16_t> weights;
    StoredFrames stored;
  };
  std::vector<Source> stored_;
};

/// When a frame of the film ends.
GstClockTime end_of(const Job& job, int64_t frame) {
  return frame + 1 < std::ssize(job.film) ? job.film[frame + 1].shown : job.duration;
}

}  // namespace

void make_joint(const Job& job, const JobFolder& folder, const Joint& joint, int number,
                const std::vector<PartReport>& reports, const std::function<void()>& now_and_then) {
  if (access(folder.joint(job, number).c_str(), F_OK) == 0) return;
  const std::string& caps_text = reports[joint.first_part].caps;
  const Owned<GstCaps> caps(gst_caps_from_string(caps_text.c_str()));
  GstVideoInfo info;
  if (!caps || !gst_video_info_from_caps(&info, caps.get()))
    throw Failure("part " + std::to_string(joint.first_part) + " has frames of no known format");
  for (int part = joint.first_part; part <= joint.last_part; ++part)
    if (reports[part].caps != caps_text)
      throw Failure("parts " + std::to_string(joint.first_part) + " and " + std::to_string(part) +
                    " have frames of different formats");
  Sources sources(job, folder, joint, reports, info.size);
  const WorkingFile file(folder.joint(job, number));
  {
    FedPipeline pipeline(line_for(job, folder, caps_text, file.name()), kFrames);
    pipeline.call({}, now_and_then);
    pipeline.start();
    for (int64_t frame = joint.frames.begin; frame < joint.frames.end; ++frame) {
      const Owned<GstBuffer> buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
      GstMapInfo map;
      gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
      sources.mix_frame(frame, {map.data, map.size});
      gst_buffer_unmap(buffer.get(), &map);
      GST_BUFFER_PTS(buffer.get()) = job.film[frame].shown;
      GST_BUFFER_DURATION(buffer.get()) = end_of(job, frame) - job.film[frame].shown;
      pipeline.push(Owned<GstSample>(gst_sample_new(buffer.get(), caps.get(), nullptr, nullptr)));
    }
    pipeline.end_source();
    pipeline.wait();
  }
  file.finish();
}

}  // namespace mosaic_program
