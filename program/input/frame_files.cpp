// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/frame_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "mosaic/photos/files/image_names.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

/// A name around its last number.
struct NumberedName {
  std::string before, digits, after;
};

std::optional<NumberedName> split(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr size_t kMostDigits = 9;
  const size_t last = name.find_last_of(kDigits);
  if (last == name.npos) return {};
  const size_t before = name.find_last_not_of(kDigits, last);
  const size_t first = before == name.npos ? 0 : before + 1;
  if (last + 1 - first > kMostDigits) return {};
  return NumberedName{name.substr(0, first), name.substr(first, last + 1 - first),
                      name.substr(last + 1)};
}

/// Percent signs are doubled, as they have a meaning in patterns.
std::string literal(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

struct Span {
  size_t start, size;
};

/// Where a name has its only %d or %05d; other percent signs mean nothing.
std::optional<Span> number_in(const std::string& name) {
  std::optional<Span> found;
  for (size_t start = name.find('%'); start != name.npos; start = name.find('%', start + 1)) {
    size_t end = start + 1;
    if (end < name.size() && name[end] == '0')
      end = std::min({name.find_first_not_of("0123456789", end), name.size(), end + 3});
    if (end == name.size() || name[end] != 'd') continue;
    if (found) return {};
    found = Span{start, end + 1 - start};
  }
  return found;
}

/// A name around its only %d or %05d, of which the digits are kept; nullopt: it is no pattern.
std::optional<NumberedName> split_pattern(const std::string& name) {
  const std::optional<Span> number = number_in(name);
  if (!number) return {};
  return NumberedName{name.substr(0, number->start),
                      name.substr(number->start + 1, number->size - 2),
                      name.substr(number->start + number->size)};
}

/// The numbers of the files before<number>after in a folder.
/// @param width of the numbers, filled with zeros; 0: not filled
std::set<int> numbers_in(const fs::path& folder, const NumberedName& name, size_t width) {
  std::set<int> numbers;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::optional<NumberedName> other = split(file->path().filename().string());
    if (!other || other->before != name.before || other->after != name.after) continue;
    const bool filled = other->digits[0] == '0' && other->digits.size() > 1;
    if (width == 0 ? !filled
                   : other->digits.size() >= width && (!filled || other->digits.size() == width))
      numbers.insert(std::stoi(other->digits));
  }
  return numbers;
}

FrameFiles checked(const fs::path& folder, const NumberedName& name, size_t width) {
  const std::set<int> numbers = numbers_in(folder, name, width);
  const std::string shown = (folder / (name.before + "<number>" + name.after)).string();
  if (numbers.empty()) throw Failure("there are no files " + shown);
  FrameFiles files;
  files.first = *numbers.begin();
  files.last = *numbers.rbegin();
  if (files.last - files.first + 1 != static_cast<int>(numbers.size()))
    throw Failure("of the files " + shown + ", some numbers from " + std::to_string(files.first) +
                  " to " + std::to_string(files.last) + " are missing");
  if (!mosaic::is_image_name(name.after))
    throw Failure(shown + ": the names must end like those of photos: .png, .jpg, .tif and others");
  files.before = (folder / name.before).string();
  files.after = name.after;
  files.digits = static_cast<int>(width);
  return files;
}

}  // namespace

std::string FrameFiles::name(int number) const {
  const std::string text = std::to_string(number);
  const size_t filled = std::max(static_cast<size_t>(digits), text.size());
  return before + std::string(filled - text.size(), '0') + text + after;
}

FrameFiles find_frames(const std::string& folder_or_pattern) {
  const fs::path path(folder_or_pattern);
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const std::optional<NumberedName> name = split_pattern(path.filename().string());
    if (!name)
      throw Failure(folder_or_pattern +
                    " is no folder and no pattern of file names like frame-%05d.png");
    return checked(path.parent_path().empty() ? "." : path.parent_path(), *name,
                   name->digits.empty() ? 0 : static_cast<size_t>(std::stoi(name->digits)));
  }
  // The names that most pictures share.
  std::map<std::pair<std::string, std::string>, std::pair<int, NumberedName>> kinds;
  for (fs::directory_iterator file(path, error), end; !error && file != end;
       file.increment(error)) {
    const std::optional<NumberedName> name = split(file->path().filename().string());
    if (!name || !mosaic::is_image_name(name->after)) continue;
    auto& [count, shortest] = kinds[{name->before, name->after}];
    if (count++ == 0 || name->digits.size() < shortest.digits.size()) shortest = *name;
  }
  if (kinds.empty()) throw Failure("there are no numbered pictures in " + folder_or_pattern);
  const NumberedName& name =
      std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
        return a.second.first < b.second.first;
      })->second.second;
  // "7" is not filled with zeros, "007" is; "10" may be either.
  const bool filled = name.digits[0] == '0' && name.digits.size() > 1;
  return checked(path, name, filled ? name.digits.size() : 0);
}

bool is_frame_pattern(const std::string& file) {
  return number_in(fs::path(file).filename().string()).has_value();
}

std::string frame_location(const std::string& file) {
  const fs::path path(file);
  const NumberedName name = split_pattern(path.filename().string()).value();
  return literal((path.parent_path() / name.before).string()) + "%" + name.digits + "d" +
         literal(name.after);
}

}  // namespace mosaic_program
