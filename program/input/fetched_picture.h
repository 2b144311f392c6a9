// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"

namespace mosaic_program {

/// A picture that was fetched from a web server into memory, so that it can be read as a file is.
class FetchedPicture {
 public:
  /// @return nullopt: the input is no http: or https: address, something other than a picture is
  /// there (video, a playlist, a page), or GStreamer has no element for such addresses Throws
  /// Failure if the server cannot be reached, sends nothing for 20 seconds, or more than
  /// decoder::kMaxFileBytes.
  static std::optional<FetchedPicture> fetch(const std::string& input);

  /// Where this process and those that it starts can read it, for as long as this object lives.
  std::string path() const;
  /// A command that fetches the address again and writes it to its standard output.
  std::vector<std::string> command() const;

 private:
  FetchedPicture(std::string address, mosaic::Descriptor file)
      : address_(std::move(address)), file_(std::move(file)) {}

  std::string address_;
  mosaic::Descriptor file_;  ///< in memory
};

}  // namespace mosaic_program
