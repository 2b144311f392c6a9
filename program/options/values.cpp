// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/values.h"

#include <cmath>

#include "program/failure.h"

namespace mosaic_program {
namespace {

constexpr int kMostFramesPerSecond = 1000;
constexpr double kLongestSeconds = 1e7;  // four months

/// A side of a size; 0: it is not given. False: it is not a side.
bool read_side(const std::string& text, int* side) {
  *side = 0;
  if (text.empty()) return true;
  guint64 number = 0;
  if (!g_ascii_string_to_unsigned(text.c_str(), 10, 1, kLargestSide, &number, nullptr))
    return false;
  *side = static_cast<int>(number);
  return true;
}

/// Digits, and a point with digits behind it. Negative: it is not that.
double read_seconds(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != text.npos) return -1;
  gchar* end = nullptr;
  const double seconds = g_ascii_strtod(text.c_str(), &end);
  return *end == 0 ? seconds : -1;
}

}  // namespace

OutputSize parse_size(const std::string& option, const std::string& text) {
  OutputSize size;
  const size_t mark = text.find('x');
  if (mark == text.npos || !read_side(text.substr(0, mark), &size.width) ||
      !read_side(text.substr(mark + 1), &size.height) || (size.width == 0 && size.height == 0))
    throw WrongUsage(option + " " + text +
                     ": write WIDTHxHEIGHT, like 3840x2160, or 3840x or x2160, "
                     "where the other side follows; a side is at most " +
                     std::to_string(kLargestSide));
  return size;
}

std::string parse_rate(const std::string& option, const std::string& text) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_FRACTION);
  gint numerator = 0, denominator = 1;
  char* end = nullptr;
  const double number = g_ascii_strtod(text.c_str(), &end);
  bool valid = end != text.c_str() && *end == 0;
  if (valid) {
    gst_util_double_to_fraction(number, &numerator, &denominator);
  } else if (gst_value_deserialize(&value, text.c_str())) {
    numerator = gst_value_get_fraction_numerator(&value);
    denominator = gst_value_get_fraction_denominator(&value);
    valid = true;
  }
  g_value_unset(&value);
  if (!valid || numerator <= 0 || numerator / denominator > kMostFramesPerSecond)
    throw WrongUsage(option + " " + text + ": write a number, like 25 or 30000/1001, of at most " +
                     std::to_string(kMostFramesPerSecond));
  return std::to_string(numerator) + "/" + std::to_string(denominator);
}

GstClockTime parse_time(const std::string& option, const std::string& text) {
  double seconds = 0;
  size_t start = 0, parts = 0;
  bool valid = true;
  while (valid && start <= text.size()) {
    const size_t end = std::min(text.find(':', start), text.size());
    const double part = read_seconds(text.substr(start, end - start));
    const bool last = end == text.size();
    // Minutes and seconds behind a colon are below 60, and only seconds have decimals.
    valid = part >= 0 && (parts == 0 || part < 60) && (last || part == std::floor(part)) &&
            ++parts <= 3;
    seconds = seconds * 60 + part;
    start = end + 1;
  }
  if (!valid || seconds > kLongestSeconds)
    throw WrongUsage(option + " " + text +
                     ": write seconds, like 30.5, or minutes and seconds, like "
                     "1:30, or hours, minutes and seconds, like 1:02:03");
  return static_cast<GstClockTime>(std::llround(seconds * GST_SECOND));
}

}  // namespace mosaic_program
