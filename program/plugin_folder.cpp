// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/plugin_folder.h"

#include <gst/gst.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

constexpr char kPlugin[] = "libgstmosaictemporal.so";

/// The folder with the plugin, seen from the program's; empty: there is none.
fs::path find_folder(const fs::path& program) {
  // Where both were built, and where both are installed if that is not where GStreamer looks.
  for (const fs::path folder : {"../gst", MOSAICTEMPORAL_PLUGIN_FROM_PROGRAM}) {
    std::error_code error;
    const fs::path found = (program / folder).lexically_normal();
    if (!folder.empty() && fs::is_regular_file(found / kPlugin, error)) return found;
  }
  return {};
}

}  // namespace

void add_plugin_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path folder = error ? fs::path() : find_folder(program);
  if (folder.empty()) return;
  // The first of them replaces the second.
  const char* variable =
      g_getenv("GST_PLUGIN_PATH_1_0") ? "GST_PLUGIN_PATH_1_0" : "GST_PLUGIN_PATH";
  const gchar* named = g_getenv(variable);
  const std::string path = (named && *named ? std::string(named) + ":" : "") + folder.string();
  g_setenv(variable, path.c_str(), TRUE);
}

void check_element() {
  GstElementFactory* factory = gst_element_factory_find("mosaictemporal");
  GstPluginFeature* loaded =
      factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : nullptr;
  gst_clear_object(&factory);
  if (!loaded)
    throw Failure(std::string("GStreamer does not find the element mosaictemporal (set "
                              "GST_PLUGIN_PATH to the folder of ") +
                  kPlugin + ")");
  gst_object_unref(loaded);
}

}  // namespace mosaic_program
