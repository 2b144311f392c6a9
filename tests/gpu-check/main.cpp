// SPDX-License-Identifier: LGPL-2.1-or-later
// Checks that kernels and engine give the same bytes on a GPU as on the CPU, and measures times.
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/gpu-check/check.h"

namespace gpu_check {
namespace {

constexpr char kUsage[] =
    "usage: gpu_check [--quick | --sanitizer] [--device N] [--write FOLDER] [SECTION...]\n"
    "sections: device, kernels, clips, times; all of them unless named\n";

constexpr int kFailed = 1, kNoGpu = 3, kNoKernels = 77;

struct Arguments {
  Extent extent = Extent::kFull;
  int device = 0;
  std::string folder;  ///< for report.md and report.json; empty: prints the report
  std::vector<std::string> sections;

  bool wants(const char* section) const {
    if (sections.empty()) return true;
    for (const std::string& s : sections)
      if (s == section) return true;
    return false;
  }
};

/// Parses the arguments. Returns false if they are not valid.
bool parse(int argc, char** argv, Arguments& a) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      a.extent = Extent::kQuick;
    else if (word == "--sanitizer")
      a.extent = Extent::kSanitizer;
    else if (word == "--device" && i + 1 < argc)
      a.device = std::atoi(argv[++i]);
    else if (word == "--write" && i + 1 < argc)
      a.folder = argv[++i];
    else if (word == "device" || word == "kernels" || word == "clips" || word == "times")
      a.sections.push_back(word);
    else
      return false;
  }
  return true;
}

void check(Report& report, Gpu& gpu, const Arguments& a) {
  const auto section = [&](const char* name, const char* doing, auto... parts) {
    if (!a.wants(name)) return;
    std::cerr << "gpu_check: " << doing << " ..." << std::endl;
    (parts(report, gpu, a.extent), ...);
  };
  try {
    section("kernels", "comparing kernels", compare_kernels);
    section("clips", "comparing clips", compare_clips);
    if (a.extent != Extent::kSanitizer)
      section("times", "measuring times", time_kernels, time_frames);
  } catch (const std::exception& error) {
    report.fail(std::string("stopped: ") + error.what());
  }
}

void write(const Report& report, const std::string& folder) {
  if (folder.empty()) return report.write_markdown(std::cout);
  std::ofstream people(folder + "/report.md"), programs(folder + "/report.json");
  report.write_markdown(people);
  report.write_json(programs);
  if (!people.flush() || !programs.flush()) throw std::runtime_error("cannot write to " + folder);
}

int run(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::cerr << kUsage;
    return 2;
  }
  if (!mt::has_gpu_kernels()) {
    std::cerr << "gpu_check: built without kernels for GPUs, as there was no nvcc\n";
    return kNoKernels;
  }
  Report report;
  Gpu gpu;
  try {
    gpu = open_device(report, arguments.device);
  } catch (const mt::GpuError& error) {
    std::cerr << "gpu_check: no GPU to check: " << error.what() << "\n";
    return kNoGpu;
  }
  check(report, gpu, arguments);
  write(report, arguments.folder);
  return report.failed() ? kFailed : 0;
}

}  // namespace
}  // namespace gpu_check

int main(int argc, char** argv) {
  try {
    return gpu_check::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "gpu_check: " << error.what() << "\n";
    return gpu_check::kFailed;
  }
}
