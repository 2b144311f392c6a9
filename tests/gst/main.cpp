// SPDX-License-Identifier: LGPL-2.1-or-later
// The main function of the element's tests.
#include <gst/gst.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/gst/harness.h"

namespace {

/// The folder in which tests keep the pools that they do not ask for elsewhere: the same for all
/// programs that test this build of the plugin, since preparing a pool takes most of a test's time
/// under a sanitizer. Folders of earlier builds are removed. Without TEST_POOLS (the start of the
/// folder's path, which meson.build sets) every program has its own.
std::filesystem::path pools_of_this_build(const element_test::TempFolder& own) {
  namespace fs = std::filesystem;
  const char* start = g_getenv("TEST_POOLS");
  const char* plugins = g_getenv("GST_PLUGIN_PATH");
  std::error_code error;
  const fs::path plugin = fs::path(plugins ? plugins : "") / "libgstmosaictemporal.so";
  const auto built = fs::last_write_time(plugin, error).time_since_epoch().count();
  if (!start || error) return own.path();
  const fs::path folder = start + std::to_string(built), parent = folder.parent_path();
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error))
    if (entry.path().string().starts_with(start) && entry.path() != folder)
      fs::remove_all(entry.path(), error);
  fs::create_directories(folder);
  return folder;
}

}  // namespace

// The caller sets GST_PLUGIN_PATH and GST_REGISTRY.
int main(int argc, char** argv) {
  const element_test::TempFolder own;
  g_setenv("XDG_CACHE_HOME", pools_of_this_build(own).c_str(), TRUE);
  gst_init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
