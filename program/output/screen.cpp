// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/output/screen.h"

#include <gst/gst.h>

#include <memory>
#include <string>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/run/window.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Links elements that are written as for gst-launch-1.0.
/// @return the last element
std::string link_words(PipelineLine& line, const std::string& given) {
  gint count = 0;
  gchar** split = nullptr;
  GError* failure = nullptr;
  g_shell_parse_argv(given.c_str(), &count, &split, &failure);
  const std::unique_ptr<gchar*, mosaic_gst::GiveBack> words(split);
  const Owned<GError> error(failure);
  if (error) throw WrongUsage("--sink " + given + ": " + error->message);
  std::string last;
  for (gint i = 0; i < count; ++i) {
    const std::string word = split[i];
    const size_t sign = word.find('=');
    const bool is_caps = word.find('/') < sign;
    if (word == "!") continue;
    if (sign != word.npos && !is_caps && !last.empty())
      line.set(word.substr(0, sign), word.substr(sign + 1));
    else
      line.link(last = word);
  }
  return last;
}

void check_sink(const std::string& given) {
  PipelineLine ignored;
  const std::string factory = link_words(ignored, given);
  const Owned<GstElement> element(gst_element_factory_make(factory.c_str(), nullptr));
  if (!element)
    throw Failure("--sink " + given + ": GStreamer has no element " + factory +
                  ", or the package with it is not installed");
  gst_object_ref_sink(element.get());
  if (!GST_OBJECT_FLAG_IS_SET(element.get(), GST_ELEMENT_FLAG_SINK))
    throw WrongUsage("--sink " + given + ": " + factory + " is no sink");
}

}  // namespace

Screen choose_screen(const Options& options) {
  if (!options.sink.empty()) {
    check_sink(options.sink);
    return {options.sink, false, {}};
  }
  Screen screen;
  screen.words = options.dry_run ? "autovideosink" : find_screen();
  if (options.fullscreen && screen.words == "ximagesink")
    if (const OutputSize size = screen_size(); size.width > 0) screen.cover = size;
  if (options.fullscreen && screen.words == "waylandsink") screen.words += " fullscreen=true";
  return screen;
}

void link_screen(PipelineLine& line, const Screen& screen) {
  if (screen.is_window) {
    std::string caps = "video/x-raw,pixel-aspect-ratio=1/1";
    if (screen.cover)
      caps += ",width=" + std::to_string(screen.cover->width) +
              ",height=" + std::to_string(screen.cover->height);
    line.link("videoscale").set("add-borders", "true").link(caps);
  }
  link_words(line, screen.words);
}

}  // namespace mosaic_program
