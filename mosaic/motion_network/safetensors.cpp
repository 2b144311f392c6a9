// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

constexpr size_t kMaxHeader = 1 << 20;  // bytes; names and shapes of several thousand tensors
constexpr size_t kMaxTensors = 8192;
constexpr size_t kMaxDimensions = 8;
constexpr size_t kMaxText = 256;  // characters of a name

[[noreturn]] void fail(const std::string& what) {
  throw Error(Error::Kind::kFormat, what);
}

/// What the header says of a tensor.
struct Entry {
  std::string type;
  std::vector<int64_t> shape;
  std::vector<int64_t> offsets;
};

/// Reads the JSON that such headers consist of: objects of texts, lists of whole numbers and one
/// level of nested objects. Everything else is refused.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  std::map<std::string, Entry> read() {
    std::map<std::string, Entry> entries;
    read_object([&](std::string name) {
      if (entries.size() == kMaxTensors) fail("its header names too many tensors");
      if (name == "__metadata__") return read_metadata();
      if (!entries.emplace(name, read_entry()).second)
        fail("its header names the tensor " + name + " twice");
    });
    skip_spaces();
    if (at_ != text_.size()) malformed();
    return entries;
  }

 private:
  [[noreturn]] void malformed() const {
    fail("its header is malformed at byte " + std::to_string(at_));
  }
  void skip_spaces() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_]) ++at_;
  }
  bool take(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!take(c)) malformed();
  }

  /// Calls read_value(key) for each key, once its colon was read.
  template <class F>
  void read_object(F read_value) {
    need('{');
    if (take('}')) return;
    do {
      std::string key = read_text();
      need(':');
      read_value(std::move(key));
    } while (take(','));
    need('}');
  }

  /// Without escapes, which no name of a tensor needs, except in the metadata, where they are kept
  /// as they are.
  std::string read_text(bool escapes = false, size_t most = kMaxText) {
    need('"');
    std::string text;
    while (at_ < text_.size() && text_[at_] != '"') {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < ' ' || (c == '\\' && !escapes) || text.size() == most) malformed();
      text += text_[at_++];
      if (c == '\\' && at_ < text_.size()) text += text_[at_++];
    }
    need('"');
    return text;
  }

  void read_metadata() {
    read_object([&](const std::string&) { read_text(true, kMaxHeader); });
  }

  std::vector<int64_t> read_numbers(size_t most) {
    std::vector<int64_t> numbers;
    need('[');
    if (take(']')) return numbers;
    do {
      if (numbers.size() == most) malformed();
      numbers.push_back(read_number());
    } while (take(','));
    need(']');
    return numbers;
  }

  int64_t read_number() {
    skip_spaces();
    const size_t first = at_;
    int64_t number = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      number = 10 * number + (text_[at_] - '0');
      if (number > kMaxSafetensorsBytes) malformed();
    }
    if (at_ == first) malformed();
    return number;
  }

  Entry read_entry() {
    Entry entry;
    read_object([&](const std::string& key) {
      if (key == "dtype")
        entry.type = read_text();
      else if (key == "shape")
        entry.shape = read_numbers(kMaxDimensions);
      else if (key == "data_offsets")
        entry.offsets = read_numbers(2);
      else
        malformed();
    });
    if (entry.type.empty() || entry.offsets.size() != 2) malformed();
    return entry;
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// The values of a tensor. @param data what follows the header
Tensor read_tensor(const std::string& name, const Entry& entry, std::span<const uint8_t> data) {
  if (entry.type != "F32") fail("the tensor " + name + " is of type " + entry.type + ", not F32");
  int64_t count = 1;
  for (const int64_t side : entry.shape) {
    count *= side;
    if (count > kMaxSafetensorsBytes) fail("the tensor " + name + " is too large");
  }
  const int64_t begin = entry.offsets[0], end = entry.offsets[1];
  if (end - begin != 4 * count)
    fail("the tensor " + name + " has another size than its shape says");
  if (begin > end || end > static_cast<int64_t>(data.size()))
    fail("it ends before the values of the tensor " + name);
  Tensor tensor{entry.shape, std::vector<float>(count)};
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t* byte = data.data() + begin + 4 * i;
    const uint32_t bits = byte[0] | static_cast<uint32_t>(byte[1]) << 8 |
                          static_cast<uint32_t>(byte[2]) << 16 |
                          static_cast<uint32_t>(byte[3]) << 24;
    tensor.values[i] = std::bit_cast<float>(bits);
    if (!std::isfinite(tensor.values[i]))
      fail("the tensor " + name + " holds a value that is not a finite number");
  }
  return tensor;
}

}  // namespace

std::map<std::string, Tensor> parse_safetensors(std::span<const uint8_t> bytes,
                                                std::span<const std::string> wanted) {
  constexpr size_t kLength = 8;
  if (bytes.size() < kLength) fail("it is too short for a safetensors file");
  uint64_t header = 0;
  for (size_t i = 0; i < kLength; ++i) header |= uint64_t{bytes[i]} << (8 * i);
  if (header > kMaxHeader) fail("it is not a safetensors file: its header would be too long");
  if (header > bytes.size() - kLength) fail("it ends within its header");
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + kLength;
  const auto entries = Header({text, static_cast<size_t>(header)}).read();
  const auto data = bytes.subspan(kLength + header);
  std::map<std::string, Tensor> tensors;
  for (const std::string& name : wanted) {
    const auto entry = entries.find(name);
    if (entry == entries.end()) fail("it has no tensor " + name);
    tensors.emplace(name, read_tensor(name, entry->second, data));
  }
  return tensors;
}

}  // namespace mosaic
