// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mosaic_program {

/// `mosaic-temporal serve FILM.mosaic PACK.mospack`: gives a page out that shows the mosaic, or,
/// with
/// `-o FOLDER`, writes it as files for any web server.
/// @param argc, argv without the word "serve"
/// @return an ExitStatus
/// Throws WrongUsage or Failure.
int serve_command(int argc, char** argv);

}  // namespace mosaic_program
