// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/part_report.h"

#include <unistd.h>

#include "program/failure.h"
#include "program/farm/job/job_files.h"
#include "program/farm/job/json.h"

namespace mosaic_program {
namespace {

constexpr int64_t kLongestDelay = 64;  // frames; encoders reorder fewer

PartReport parse(const std::string& text) {
  const JsonDocument document(text);
  const JsonValue json = document.root();
  return {.part = static_cast<int>(json.number("part")),
          .job = json.text("job"),
          .frames = json.number("frames"),
          .stored = json.number("stored"),
          .seconds = json.real("seconds"),
          .md5 = json.text("md5"),
          .caps = json.text("caps"),
          .delay = json.number("delay"),
          .hash = json.text("hash"),
          .stored_hash = json.text("stored_hash")};
}

}  // namespace

std::string PartReport::text() const {
  JsonWriter json;
  json.begin_object().name("part").add(int64_t{part}).name("frames").add(frames);
  json.name("seconds").add(seconds).name("md5").add(md5).name("stored").add(stored);
  json.name("delay").add(delay).name("hash").add(hash).name("stored_hash").add(stored_hash);
  json.name("job").add(job).name("caps").add(caps).end_object();
  return json.text(true);
}

std::optional<PartReport> report_of(const Job& job, const JobFolder& folder, int part) {
  const std::string path = folder.part(part, "json");
  if (access(path.c_str(), F_OK) != 0) return std::nullopt;
  try {
    PartReport report = parse(read_whole(path));
    const bool has_files =
        (report.frames == 0 || access(folder.part(part, "mkv").c_str(), F_OK) == 0) &&
        (report.stored == 0 || access(folder.part(part, "frames").c_str(), F_OK) == 0);
    const bool is_possible = report.delay >= 0 && report.delay <= kLongestDelay;
    if (report.job == job.id && report.part == part && has_files && is_possible) return report;
  } catch (const TryAgain&) {
    throw;
  } catch (const Failure&) {  // it is damaged, and made again
  }
  return std::nullopt;
}

void save_report(const PartReport& report, const JobFolder& folder) {
  write_whole(folder.part(report.part, "json"), report.text());
}

}  // namespace mosaic_program
