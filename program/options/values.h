// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Values of the program's own options. All functions throw WrongUsage, which names the option and
/// says what can be written.
#pragma once

#include <gst/gst.h>

#include <string>

#include "program/options/options.h"

namespace mosaic_program {

/// "1920x1080"; "1920x" or "x1080", where the other side follows.
OutputSize parse_size(const std::string& option, const std::string& text);

/// "25", "29.97" or "30000/1001" as a fraction.
std::string parse_rate(const std::string& option, const std::string& text);

/// "90", "30.5", "1:30" or "1:02:03.5".
GstClockTime parse_time(const std::string& option, const std::string& text);

}  // namespace mosaic_program
