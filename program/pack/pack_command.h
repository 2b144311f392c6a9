// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mosaic_program {

/// `mosaic-temporal pack PHOTOS... -o FILE.mospack`: makes a pack (mosaic/pack/pack.h).
/// @param argc, argv without the word "pack"
/// @return an ExitStatus
/// Throws WrongUsage or Failure.
int pack_command(int argc, char** argv);

}  // namespace mosaic_program
