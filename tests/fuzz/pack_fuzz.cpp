// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a pack without its end. The checksums of its chunks are corrected, so that what they
// protect is reached.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "mosaic/base/error.h"
#include "mosaic/pack/pack.h"
#include "mosaic/pack/pack_bytes.h"
#include "tests/fuzz/input_file.h"

namespace {

using namespace mosaic::pack;
using mosaic::append;

/// Corrects the checksums of chunks that follow each other as their headers say.
void sign(Bytes& file) {
  for (size_t at = kHeaderBytes; file.size() - at >= kChunkHeaderBytes;) {
    const uint64_t photos = mosaic::little_endian(file, at + 4, 4),
                   bytes = mosaic::little_endian64(file, at + 8),
                   names = mosaic::little_endian64(file, at + 16);
    const size_t list = at + kChunkHeaderBytes, rest = file.size() - list;
    if (photos > kMostInChunk || names > rest || photos * kEntryBytes + names > rest) return;
    const auto from = file.begin() + static_cast<ptrdiff_t>(at);
    Bytes checked(from, from + 24);
    const auto entries = file.begin() + static_cast<ptrdiff_t>(list);
    checked.insert(checked.end(), entries,
                   entries + static_cast<ptrdiff_t>(photos * kEntryBytes + names));
    Bytes sum;
    append(sum, hash_of(checked), 8);
    std::copy(sum.begin(), sum.end(), from + 24);
    if (bytes < kChunkHeaderBytes || bytes > file.size() - at) return;
    at += bytes;
  }
}

/// The first header, chunk header, entry and name: what comes after them are pixels.
constexpr size_t kList = kHeaderBytes + kChunkHeaderBytes + kEntryBytes + 16;

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

/// Mostly changes the list of the first photo and keeps the size of the input, which the chunk's
/// header says.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (size < kList || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const size_t used = LLVMFuzzerMutate(data, kList, kList);
  std::fill(data + used, data + kList, uint8_t{0});
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes file(data, data + size);
  if (file.size() > kHeaderBytes) sign(file);
  static const fuzz::InputFile input("a.mospack");
  input.write(file.data(), file.size());
  try {
    const Pack pack(input.path(), Pack::End::kMayBeMissing);
    for (int photo = 0; photo < pack.count(); ++photo) {
      if (pack.name(photo).empty() || pack.levels(photo) < 3) std::abort();
      for (int level = 0; level < pack.levels(photo); ++level) try {
          if (pack.level(photo, level).empty()) std::abort();
        } catch (const mosaic::Error&) {
        }
    }
  } catch (const mosaic::Error&) {
  }
  return 0;
}
