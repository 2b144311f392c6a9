// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

namespace mosaic_program {

/// Reads the options of a command like `mosaic-temporal pack` into `entries`, or shows its help and
/// ends the program.
/// @param name of the command, after "mosaic-temporal"
/// @param argc, argv without "mosaic-temporal"
/// Throws WrongUsage.
void read_command_words(const char* name, const char* summary, const GOptionEntry* entries,
                        int argc, char** argv);

}  // namespace mosaic_program
