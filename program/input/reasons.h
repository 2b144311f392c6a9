// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <string>

namespace mosaic_program {

/// Throws Failure if an input is a file that cannot be read, or a folder.
void check_input_file(const std::string& input);

/// Why an input cannot be read, in a sentence that says what to do. @param debug may be null
std::string why_unreadable(const std::string& input, const GError& error, const gchar* debug);

/// The same where nothing comes, and no error either.
std::string why_silent(const std::string& input, int seconds);

}  // namespace mosaic_program
