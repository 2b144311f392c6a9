// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "program/failure.h"
#include "program/input/animation_input.h"
#include "program/input/bitstream_colours.h"
#include "program/input/frame_files.h"
#include "program/input/frames_input.h"
#include "program/input/input_path.h"
#include "program/options/first_look.h"
#include "program/output/elements.h"
#include "program/output/output_format.h"
#include "program/output/screen.h"
#include "program/pipeline/framing.h"
#include "program/pipeline/side_branches.h"
#include "program/progress.h"

namespace mosaic_program {
namespace {

constexpr char kFramesPerSecond[] = "25/1";  // of pictures

/// NVIDIA's decoder for a kind of video; empty: none is installed.
std::string hardware_decoder(const std::string& video) {
  std::string name;
  if (video == "video/x-h264") name = "nvh264dec";
  if (video == "video/x-h265") name = "nvh265dec";
  return name.empty() || !have_element(name) ? "" : name;
}

class Planner {
 public:
  Planner(const Options& options, const std::string& file) : options_(options), file_(file) {
    if (!options.show)
      format_ = OutputFormat::of(options.output, options.codec);
    else
      screen_ = choose_screen(options);
  }

  Plan plan() {
    if (options_.frames)
      add_frames();
    else if (is_camera(options_.input))
      add_camera();
    else if (plan_.photo = options_.photo ? options_.photo : PhotoInput::read(options_.input);
             plan_.photo)
      add_photo();
    else
      add_media(look_into(options_.input));
    return std::move(plan_);
  }

  Plan plan_of_joined() {
    const Media media = look_into(options_.input);
    describe(media);
    line().begin("appsrc").set("name", kJoinedVideo).set("format", "time");
    line().set("handle-segment-change", "true");
    if (!format_->parser().empty()) line().link(format_->parser());
    add_muxer();
    sides().add_subtitles(media);
    sides().add_sound(media);
    return std::move(plan_);
  }

 private:
  PipelineLine& line() { return plan_.line; }
  SideBranches sides() { return {line(), options_, format_ ? &*format_ : nullptr, plan_.notices}; }

  /// Throws WrongUsage if a photo is to become a video, or a video one picture.
  void check_format(bool still) const {
    if (!format_) return;
    if (still && !format_->is_picture())
      throw WrongUsage(options_.output +
                       ": a photo becomes a picture; the name must end in .png or .jpg");
    if (!still && format_->is_picture() && !is_frame_pattern(file_))
      throw WrongUsage(options_.output +
                       ": of a video, many pictures are written; give their names a pattern, like "
                       "frame-%05d.png");
  }

  /// Throws WrongUsage or Failure if the input does not have the part that the user wants.
  /// @param duration of the input; NONE: unknown
  void choose_part(GstClockTime duration) {
    plan_.start = options_.start;
    plan_.end = options_.end;
    if (plan_.start > 0 && (plan_.live || plan_.still))
      throw WrongUsage("--start is for films, and " + options_.input + " is " +
                       (plan_.live ? "live" : "a photo"));
    // Of a part of a job it is known that it is there, whatever the container says.
    if (plan_.start > 0 && plan_.start >= duration && !options_.video_only)
      throw Failure(options_.input + " is " + clock_text(duration) +
                    " long: there is nothing after " + clock_text(plan_.start) + " (--start)");
    const GstClockTime end = std::min(plan_.end, duration);
    plan_.duration = GST_CLOCK_TIME_IS_VALID(end) ? end - plan_.start : end;
  }

  void add_frames() {
    check_format(false);
    FrameFiles files = find_frames(options_.input);
    const std::string rate =
        options_.frames_per_second.empty() ? kFramesPerSecond : options_.frames_per_second;
    gint numerator = 25, denominator = 1;
    std::sscanf(rate.c_str(), "%d/%d", &numerator, &denominator);
    choose_part(
        gst_util_uint64_scale(files.last - files.first + 1, GST_SECOND * denominator, numerator));
    // Pictures before the part are not read, and the times of the pipeline begin with it.
    if (GST_CLOCK_TIME_IS_VALID(plan_.end)) plan_.end -= plan_.start;
    files.first += static_cast<int>(gst_util_uint64_scale_ceil(
        std::exchange(plan_.start, 0), numerator, GST_SECOND * denominator));
    files.first = std::min(files.first, files.last);
    const FramesInput frames(std::move(files));
    plan_.pictures = frames.link(line(), rate);
    add_notices(frames.notices());
    add_mosaic(false, false, frames.size());
  }

  void add_camera() {
    check_format(false);
    plan_.live = true;
    choose_part(GST_CLOCK_TIME_NONE);
    if (options_.input == "camera")
      line().link("autovideosrc");
    else
      line().link("v4l2src").set("device", options_.input);
    line().link("decodebin");
    add_mosaic(false, false, {});
  }

  void add_notices(const std::vector<std::string>& notices) {
    plan_.notices.insert(plan_.notices.end(), notices.begin(), notices.end());
  }

  void add_photo() {
    const PhotoInput& photo = *plan_.photo;
    const bool one = format_ && format_->is_picture() && !is_frame_pattern(file_);
    if (photo.is_animation() && !one) {
      add_animation();
      return;
    }
    plan_.still = true;
    check_format(true);
    add_notices(photo.notices());
    choose_part(GST_CLOCK_TIME_NONE);
    photo.link(line());
    add_mosaic(false, false, photo.size());
  }

  void add_animation() {
    const AnimationInput animation(*plan_.photo);
    choose_part(animation.duration());
    // Pictures before the part are not given, and the times of the pipeline begin with it.
    if (GST_CLOCK_TIME_IS_VALID(plan_.end)) plan_.end -= plan_.start;
    plan_.pictures = animation.link(line(), std::exchange(plan_.start, 0));
    add_notices(plan_.photo->notices_of_colours());
    add_mosaic(false, false, plan_.photo->size());
  }

  void add_media(const Media& media) {
    plan_.live = plan_.can_reconnect = media.live;
    plan_.still = media.still;
    if (!media.live && !media.still && media.in_container) plan_.promised = media.duration;
    // Two fields may come as two pictures, and some pictures of VP8 and VP9 are never shown.
    plan_.same_frames = !media.live && !media.still && !media.interlaced &&
                        options_.frames_per_second.empty() &&
                        !media.video.starts_with("video/x-vp");
    check_format(media.still);
    describe(media);
    if (plan_.start > 0) plan_.same_frames = false;
    if (media.live)
      line().link("uridecodebin").set("uri", media.uri).set("name", "in");
    else
      line().link("urisourcebin").set("uri", media.uri).link("parsebin").set("name", "in");
    add_video(media);
    if (options_.video_only) return;
    sides().add_subtitles(media);
    sides().add_sound(media);
  }

  /// What is known of the film besides its pictures.
  void describe(const Media& media) {
    choose_part(media.duration);
    plan_.keeps_description =
        !media.live && format_ && format_->is_film() && !input_path(options_.input).empty();
    keeps_texts_ = sides().keeps_texts(media);
  }

  void add_video(const Media& media) {
    line().from("in", media.live ? "" : media.video_pad);
    const bool plain =
        !media.interlaced && !media.turned && !media.deep && !media.live && !options_.software;
    const std::string decoder = plain ? hardware_decoder(media.video) : "";
    if (media.live)
      line().link("queue");
    else
      line().link(media.video_only).link("queue");
    if (!media.pixel_aspect.empty())
      line()
          .link("capssetter")
          .set("caps", media.video + ",pixel-aspect-ratio=" + media.pixel_aspect);
    if (media.colours_in_bitstream) line().link("identity").set("name", kUncoloured);
    if (!decoder.empty() || media.colours_in_bitstream)
      line().link(media.video == "video/x-h264" ? "h264parse" : "h265parse");
    if (!decoder.empty()) {
      line().link(decoder);
    } else if (!media.live) {
      line().link("decodebin");
    }
    // Phones and cameras put more pictures into the file of a photo: previews, depth, brightness.
    if (media.still) line().link("imagefreeze").set("num-buffers", 1);
    add_mosaic(!decoder.empty(), media.interlaced, media.size);
  }

  /// @param on_gpu whether frames may be in the GPU's memory @param input all 0: unknown
  void add_mosaic(bool on_gpu, bool interlaced, const PictureSize& input) {
    Options asked = options_;
    if (!asked.output_size && screen_.cover) {
      asked.output_size = screen_.cover;
      asked.fit = Fit::kPad;
    }
    const bool streams = format_ && format_->is_stream();
    if (streams && asked.output_size)
      throw WrongUsage("--output-size: a .mosaic file has no size; whoever draws it chooses one");
    const Framing framing = frame(asked, input, format_ && format_->is_film());
    if (!framing.notice.empty()) plan_.notices.push_back(framing.notice);
    if (!on_gpu) {
      line().link("videoconvert");
      if (interlaced) line().link("deinterlace");
      line().link("videoflip").set("video-direction", "auto");
    } else if (framing.square || framing.crop) {
      line().link("cudadownload");
      on_gpu = false;
    }
    if (!options_.frames_per_second.empty() && !options_.frames)
      line().link("videorate").link("video/x-raw(ANY),framerate=" + options_.frames_per_second);
    add_shape(framing);
    line().link("mosaictemporal").set("name", "mosaic");
    const Picture picture{
        .size = input, .drawn = framing.size, .still = plan_.still, .live = plan_.live};
    for (const auto& [name, value] : first_look(options_, picture)) line().set(name, value);
    for (const auto& [name, value] : options_.properties) line().set(name, value);
    if (streams)
      line().link("application/x-mosaic");
    else
      add_size(framing.size);
    line().link("queue");
    if (framing.left + framing.right + framing.top + framing.bottom > 0) {
      if (std::exchange(on_gpu, false)) line().link("cudadownload");
      line().link("videoconvert").link("videobox");
      line().set("left", -framing.left).set("right", -framing.right);
      line().set("top", -framing.top).set("bottom", -framing.bottom);
    }
    if (options_.show)
      add_window(on_gpu);
    else if (streams)
      line().link("filesink").set("location", file_);
    else
      add_encoder(on_gpu);
  }

  /// Gives the input the shape of the mosaic.
  void add_shape(const Framing& framing) {
    const auto sides = [](const OutputSize& size) {
      return "video/x-raw,width=" + std::to_string(size.width) +
             ",height=" + std::to_string(size.height);
    };
    if (framing.square)
      line().link("videoscale").link(sides(*framing.square) + ",pixel-aspect-ratio=1/1");
    if (framing.crop)
      line()
          .link("aspectratiocrop")
          .set("aspect-ratio",
               std::to_string(framing.crop->width) + "/" + std::to_string(framing.crop->height));
    if (framing.pad_input)
      line().link("videoscale").set("add-borders", "true").link(sides(framing.size));
  }

  void add_size(const OutputSize& size) {
    std::string caps = "video/x-raw(ANY)";
    if (size.width > 0) caps += ",width=" + std::to_string(size.width);
    if (size.height > 0) caps += ",height=" + std::to_string(size.height);
    if (size.width > 0 || size.height > 0) line().link(caps);
  }

  void add_window(bool on_gpu) {
    if (on_gpu) line().link("cudadownload");
    line().link("videoconvert");
    link_screen(line(), screen_);
  }

  void add_encoder(bool on_gpu) {
    const bool hardware = !options_.software && format_->has_hardware_encoder();
    if (on_gpu && !hardware) line().link("cudadownload");
    if (!on_gpu || !hardware) line().link("videoconvert");
    const LinkedEncoder encoder = format_->link_encoder(line(), options_, hardware);
    plan_.encoder = encoder.name;
    if (!encoder.notice.empty()) plan_.notices.push_back(encoder.notice);
    if (format_->is_picture()) {
      if (is_frame_pattern(file_))
        line().link("multifilesink").set("location", frame_location(file_));
      else
        line().link("filesink").set("location", file_);
      return;
    }
    add_muxer();
  }

  void add_muxer() {
    line().to("out", "video_%u");
    format_->link_muxer(line(), keeps_texts_);
    line().link("filesink").set("location", file_);
  }

  const Options& options_;
  const std::string& file_;
  std::optional<OutputFormat> format_;
  Screen screen_;
  bool keeps_texts_ = false;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Options& options, const std::string& file) {
  return Planner(options, file).plan();
}

Plan make_joined_plan(const Options& options, const std::string& file) {
  return Planner(options, file).plan_of_joined();
}

}  // namespace mosaic_program
