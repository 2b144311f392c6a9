// SPDX-License-Identifier: LGPL-2.1-or-later
// For builds without libavformat.
#include "program/description/description.h"

namespace mosaic_program {

std::vector<std::string> sample_formats(const std::string&) {
  return {};
}

std::string copy_description(const std::string&, const std::string&, const FilmPart&, bool,
                             const std::atomic<bool>&) {
  return "titles, chapters and the like of the input are kept only as far as GStreamer keeps them: "
         "this program was built without libavformat";
}

}  // namespace mosaic_program
