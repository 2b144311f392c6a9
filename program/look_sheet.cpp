// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/look_sheet.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/input/frame_files.h"
#include "program/input/media.h"
#include "program/options/property_table.h"
#include "program/output/output_format.h"
#include "program/pipeline/plan.h"
#include "program/progress.h"
#include "program/run/output_file.h"
#include "program/run/run.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;
using mosaic_gst::Owned;

constexpr int kColumns = 4;
constexpr int kWidest = 960;  // of a picture in the sheet, pixels

/// A folder that is removed with what is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    GError* failure = nullptr;
    const Owned<gchar> made(g_dir_make_tmp("mosaic-temporal-XXXXXX", &failure));
    const Owned<GError> error(failure);
    if (error) throw Failure(error->message);
    path_ = made.get();
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

struct Drawing {
  std::string name, file;
};

/// Draws one frame. @param more properties
Drawing draw(Options job, const std::string& name, const std::string& file,
             const std::vector<std::pair<std::string, std::string>>& more) {
  // In a pattern's name, since of a film one frame is one of many pictures.
  job.output = file + "-%d.png";
  job.end = job.start + 1;
  job.output_size.reset();
  job.codec.clear();
  std::erase_if(job.properties, [](const auto& p) { return p.first == "profile-name"; });
  job.properties.insert(job.properties.begin(), more.begin(), more.end());
  const Plan plan = make_plan(job, job.output);
  Progress silent(true, GST_CLOCK_TIME_NONE);
  if (run(plan, job, silent).frames == 0) throw Failure("no frame was drawn");
  return {name, file + "-0.png"};
}

void join(const std::vector<Drawing>& pictures, const Options& options, const std::string& file) {
  const PictureSize first = look_into(pictures[0].file).size;
  const int width = std::min(first.width, kWidest),
            height = std::max(1, first.height * width / first.width);
  const std::string scaled =
      "video/x-raw,width=" + std::to_string(width) + ",height=" + std::to_string(height);
  PipelineLine line;
  line.begin("compositor").set("name", "sheet").set("background", "black");
  for (size_t i = 0; i < pictures.size(); ++i) {
    const std::string pad = "sink_" + std::to_string(i);
    line.set(pad + "::xpos", static_cast<int>(i) % kColumns * width);
    line.set(pad + "::ypos", static_cast<int>(i) / kColumns * height);
  }
  line.link("videoconvert");
  OutputFormat::of(options.output).link_encoder(line, options, false);
  line.link("filesink").set("location", file);
  for (size_t i = 0; i < pictures.size(); ++i)
    line.begin("filesrc")
        .set("location", pictures[i].file)
        .link("pngdec")
        .link("imagefreeze")
        .set("num-buffers", 1)
        .link("video/x-raw,framerate=1/1")
        .link("videoconvert")
        .link("videoscale")
        .link(scaled)
        .link("textoverlay")
        .set("text", pictures[i].name)
        .set("valignment", "top")
        .set("halignment", "left")
        .set("shaded-background", "true")
        .to("sheet", "sink_" + std::to_string(i));
  const Owned<GstElement> pipeline(line.make());
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const Owned<GstBus> bus(gst_element_get_bus(pipeline.get()));
  const Owned<GstMessage> end(
      gst_bus_timed_pop_filtered(bus.get(), GST_CLOCK_TIME_NONE,
                                 static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  if (GST_MESSAGE_TYPE(end.get()) == GST_MESSAGE_EOS) return;
  GError* failure = nullptr;
  gst_message_parse_error(end.get(), &failure, nullptr);
  const Owned<GError> error(failure);
  throw Failure(options.output + ": " + error->message);
}

}  // namespace

void write_look_sheet(const Options& options) {
  if (!OutputFormat::of(options.output).is_picture() || is_frame_pattern(options.output))
    throw WrongUsage("--compare-looks writes one picture; " + options.output +
                     " has to end in .png or .jpg, without a pattern");
  OutputFile output(options);
  const TemporaryFolder folder;
  Progress progress(options.quiet, GST_CLOCK_TIME_NONE);
  progress.prepare("the input");
  std::vector<Drawing> pictures = {draw(options, "input", folder.file("input"), {{"mix", "0"}})};
  for (const ProfileInfo& profile : profile_table()) {
    progress.prepare(profile.name);
    pictures.push_back(
        draw(options, profile.name, folder.file(profile.name), {{"profile-name", profile.name}}));
  }
  progress.prepare("the sheet");
  if (const std::string earlier = output.begin(); !earlier.empty())
    progress.say("an earlier run was cut off: what it wrote is in " + earlier);
  join(pictures, options, output.path());
  output.keep();
  if (!options.quiet) progress.say("a sheet of all looks: " + options.output);
}

}  // namespace mosaic_program
