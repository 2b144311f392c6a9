// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>

#include "program/web/web_files.h"

namespace mosaic_program {

/// Gives the files of a page out over HTTP, until it is destroyed. It works while the default main
/// context runs; photos are prepared by other threads.
class HttpServer {
 public:
  /// @param port 0: any free one
  /// @param is_public whether other machines can connect, too
  /// Throws Failure: the port cannot be used.
  HttpServer(const WebFiles& files, int port, bool is_public);
  ~HttpServer();

  /// Where a browser on this machine finds the page.
  std::string address() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic_program
