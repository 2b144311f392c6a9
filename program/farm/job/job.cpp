// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/job.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "mosaic/base/content_hash.h"
#include "mosaic/base/hash.h"
#include "program/failure.h"
#include "program/farm/job/job_files.h"
#include "program/farm/job/json.h"
#include "program/farm/job/resolved_settings.h"
#include "program/options/values.h"
#include "program/output/video_encoder.h"

namespace mosaic_program {
namespace {

constexpr int kFormat = 1;  // of plan.json

const char* word_of(Fit fit) {
  return fit == Fit::kCrop ? "crop" : fit == Fit::kPad ? "pad" : "stretch";
}

Fit fit_of(const std::string& word) {
  return word == "crop" ? Fit::kCrop : word == "pad" ? Fit::kPad : Fit::kStretch;
}

std::string hash_text(const std::string& text) {
  mosaic::HashState hash;
  hash.add(text.data(), text.size());
  const XXH128_hash_t digest = hash.digest();
  return mosaic::ContentHash{digest.low64, digest.high64}.text();
}

/// A line a frame: its time, when it is shown, its hash.
std::string frames_text(const std::vector<FilmFrame>& film) {
  std::string text;
  char line[64];
  for (const FilmFrame& frame : film) {
    std::snprintf(
        line, sizeof line, "%llu %llu %016llx\n", static_cast<unsigned long long>(frame.time),
        static_cast<unsigned long long>(frame.shown), static_cast<unsigned long long>(frame.hash));
    text += line;
  }
  return text;
}

std::vector<FilmFrame> parse_frames(const std::string& text) {
  std::vector<FilmFrame> film;
  for (const char* at = text.c_str(); *at;) {
    gchar* end = nullptr;
    FilmFrame frame;
    frame.time = g_ascii_strtoull(at, &end, 10);
    frame.shown = g_ascii_strtoull(end, &end, 10);
    frame.hash = g_ascii_strtoull(end, &end, 16);
    const bool rises =
        film.empty() || (frame.time > film.back().time && frame.shown > film.back().shown);
    if (*end != '\n' || !rises) throw Failure("the times of the frames are damaged");
    film.push_back(frame);
    at = end + 1;
  }
  return film;
}

void add_range(JsonWriter& json, const char* name, const FrameRange& range) {
  json.begin_list(name).add(range.begin).add(range.end).end_list();
}

FrameRange range_of(const JsonValue& json, const char* name) {
  const std::vector<JsonValue> ends = json.list(name);
  if (ends.size() != 2) throw Failure(std::string(name) + " is no pair of numbers");
  return {ends[0].number(), ends[1].number()};
}

std::string plan_text(const Job& job, const std::string& frames_hash) {
  JsonWriter json;
  json.begin_object();
  json.name("format").add(int64_t{kFormat});
  json.name("version").add(job.version).name("gstreamer").add(job.gstreamer);
  json.begin_object("source")
      .name("uri")
      .add(job.uri)
      .name("bytes")
      .add(static_cast<int64_t>(job.source_bytes))
      .name("hash")
      .add(job.source_hash);
  json.name("start").add(static_cast<int64_t>(job.start));
  if (GST_CLOCK_TIME_IS_VALID(job.end)) json.name("end").add(static_cast<int64_t>(job.end));
  json.end_object();
  json.begin_object("video").name("codec").add(job.codec).name("encoder").add(job.encoder);
  json.name("threads").add(int64_t{job.encoder_threads});
  if (job.quality) json.name("quality").add(int64_t{*job.quality});
  json.name("fps").add(job.frames_per_second);
  if (job.output_size) {
    json.name("width").add(int64_t{job.output_size->width});
    json.name("height").add(int64_t{job.output_size->height});
  }
  if (job.fit) json.name("fit").add(word_of(*job.fit));
  json.end_object().begin_object("settings");
  for (const auto& [name, value] : job.properties) json.name(name.c_str()).add(value);
  json.end_object().begin_object("windows");
  json.name("frames").add(int64_t{job.windows.frames});
  json.name("overlap").add(int64_t{job.windows.frames_overlap});
  json.end_object();
  json.name("frames").add(std::ssize(job.film));
  json.name("frames_hash").add(frames_hash);
  json.name("duration").add(static_cast<int64_t>(job.duration));
  json.begin_list("photos");
  for (const std::string& name : job.photos) json.add(name);
  json.end_list().begin_list("losses");
  for (const std::string& loss : job.losses) json.add(loss);
  json.end_list().begin_list("parts");
  for (const FarmPart& part : job.parts) {
    json.begin_object();
    add_range(json, "drawn", part.drawn);
    add_range(json, "frames", part.frames);
    add_range(json, "own", part.own);
    add_range(json, "take", part.take);
    json.name("window").add(int64_t{part.window}).end_object();
  }
  json.end_list().end_object();
  return json.text();
}

/// What a hostile file may say, and would be used as an index.
void check_part(const FarmPart& part, int64_t frames) {
  const auto holds = [](const FrameRange& outer, const FrameRange& inner) {
    return inner.begin >= outer.begin && inner.end <= outer.end && inner.begin <= inner.end;
  };
  if (!holds({0, frames}, part.drawn) || !holds(part.drawn, part.frames) ||
      !holds(part.frames, part.own) || !holds({0, frames}, part.take) || part.frames.size() == 0 ||
      part.window < 0)
    throw Failure("a part has impossible frames");
}

bool is_known_codec(const std::string& name) {
  return std::any_of(codecs().begin(), codecs().end(),
                     [&](const Codec& codec) { return codec.name == name; });
}

void read_video(const JsonValue& video, Job& job) {
  job.codec = video.text("codec");
  if (!is_known_codec(job.codec)) throw Failure("there is no codec " + job.codec);
  job.encoder = video.text("encoder");
  job.encoder_threads = static_cast<int>(video.number("threads"));
  if (video.has("quality")) job.quality = static_cast<int>(video.number("quality"));
  if (!video.text("fps").empty()) job.frames_per_second = parse_rate("fps", video.text("fps"));
  if (video.has("width"))
    job.output_size = {static_cast<int>(video.number("width")),
                       static_cast<int>(video.number("height"))};
  if (job.output_size && (job.output_size->width < 0 || job.output_size->width > kLargestSide ||
                          job.output_size->height < 0 || job.output_size->height > kLargestSide))
    throw Failure("the output has an impossible size");
  if (video.has("fit")) job.fit = fit_of(video.text("fit"));
}

void read_plan(const JsonValue& json, Job& job) {
  if (json.number("format") != kFormat)
    throw Failure("another version of mosaic-temporal has written it");
  job.version = json.text("version");
  job.gstreamer = json.text("gstreamer");
  const JsonValue source = json.object("source");
  job.uri = source.text("uri");
  job.source_bytes = static_cast<guint64>(source.number("bytes"));
  job.source_hash = source.text("hash");
  job.start = static_cast<GstClockTime>(source.number("start"));
  if (source.has("end")) job.end = static_cast<GstClockTime>(source.number("end"));
  read_video(json.object("video"), job);
  const JsonValue settings = json.object("settings");
  for (const std::string& name : settings.names())
    if (is_resolved_setting(name))
      job.properties.emplace_back(name, settings.text(name.c_str()));
    else
      throw Failure("there is no setting " + name);
  const JsonValue windows = json.object("windows");
  job.windows.frames = static_cast<int>(windows.number("frames"));
  job.windows.frames_overlap = static_cast<int>(windows.number("overlap"));
  mosaic::check_windows(job.windows);
  if (job.windows.frames_overlap < 0) throw Failure("windows cannot overlap by less than nothing");
  job.duration = static_cast<GstClockTime>(json.number("duration"));
  for (const JsonValue& name : json.list("photos")) {
    if (name.text().find('/') != std::string::npos) throw Failure("a name of photos is a path");
    job.photos.push_back(name.text());
  }
  for (const JsonValue& loss : json.list("losses")) job.losses.push_back(loss.text());
  if (json.list("parts").empty()) throw Failure("it has no parts");
  for (const JsonValue& part : json.list("parts")) {
    job.parts.push_back({.drawn = range_of(part, "drawn"),
                         .frames = range_of(part, "frames"),
                         .own = range_of(part, "own"),
                         .take = range_of(part, "take"),
                         .window = static_cast<int>(part.number("window"))});
    check_part(job.parts.back(), json.number("frames"));
  }
}

}  // namespace

JobFolder::JobFolder(const std::string& folder)
    : path_(std::filesystem::absolute(folder).lexically_normal()) {}

std::string JobFolder::plan() const {
  return std::filesystem::path(path_) / "plan.json";
}

std::string JobFolder::frames() const {
  return std::filesystem::path(path_) / "frames.txt";
}

std::string JobFolder::cache() const {
  return std::filesystem::path(path_) / "photos";
}

std::string JobFolder::working(const std::string& name) const {
  return std::filesystem::path(path_) / working_name(name);
}

std::string JobFolder::part(int number, const char* extension) const {
  char name[32];
  std::snprintf(name, sizeof name, "part-%05d.%s", number, extension);
  return std::filesystem::path(path_) / name;
}

std::string JobFolder::joint(const Job& job, int number) const {
  char name[64];
  std::snprintf(name, sizeof name, "joint-%05d-%.16s.mkv", number, job.id.c_str());
  return std::filesystem::path(path_) / name;
}

std::string gstreamer_version() {
  guint major = 0, minor = 0, micro = 0, nano = 0;
  gst_version(&major, &minor, &micro, &nano);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(micro);
}

void save_job(Job& job, const JobFolder& folder) {
  const std::string frames = frames_text(job.film);
  const std::string plan = plan_text(job, hash_text(frames));
  job.id = hash_text(plan);
  write_whole(folder.frames(), frames);
  write_whole(folder.plan(), plan);
}

Job load_job(const JobFolder& folder) {
  const std::string plan = read_whole(folder.plan());
  Job job;
  job.id = hash_text(plan);
  try {
    const JsonDocument document(plan);
    read_plan(document.root(), job);
    const std::string frames = read_whole(folder.frames());
    if (hash_text(frames) != document.root().text("frames_hash"))
      throw Failure("the times of the frames, in " + folder.frames() + ", are of another plan");
    job.film = parse_frames(frames);
    if (std::ssize(job.film) != document.root().number("frames") || job.film.empty())
      throw Failure("the number of frames is wrong");
  } catch (const TryAgain&) {
    throw;
  } catch (const std::exception& failure) {
    throw Failure(folder.plan() + ": " + failure.what() + "; plan the film again");
  }
  return job;
}

void check_versions(const Job& job) {
  if (job.version != MOSAICTEMPORAL_VERSION || job.gstreamer != gstreamer_version())
    throw TryAgain("the job was planned by mosaic-temporal " + job.version + " with GStreamer " +
                   job.gstreamer + "; here they are " + MOSAICTEMPORAL_VERSION + " and " +
                   gstreamer_version());
}

Options options_of(const Job& job, const std::string& photos, const std::string& output) {
  Options options;
  options.input = job.uri;
  options.inputs = {job.uri};
  options.output = output;
  options.codec = job.codec;
  options.quality = job.quality;
  options.frames_per_second = job.frames_per_second;
  options.output_size = job.output_size;
  options.fit = job.fit;
  options.software = true;
  options.video_only = true;
  options.encoder_threads = job.encoder_threads;
  options.properties = job.properties;
  options.properties.emplace_back("cache-location", photos);
  return options;
}

int part_number(const Job& job, const std::string& text) {
  gint64 number = 0;
  if (!g_ascii_string_to_signed(text.c_str(), 10, 0, std::ssize(job.parts) - 1, &number, nullptr))
    throw WrongUsage("part " + text + ": the job has the parts 0 to " +
                     std::to_string(job.parts.size() - 1));
  return static_cast<int>(number);
}

}  // namespace mosaic_program
