// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gather/mosaic_gather.h"

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/drawing/gather.h"

/// The patches as the kernel takes them: with the type and the layout of the pictures.
struct MosaicGather {
  std::shared_ptr<mt::Executor> executor;
  std::vector<uint8_t> patches;  ///< [entries][planes][rows][run]
  mt::Gather kernel{};           ///< what does not depend on the pictures
  std::vector<int32_t> too_large;
};

namespace {

constexpr uint64_t kMostBytes = PTRDIFF_MAX;

/// The product of sizes; nullopt: it is larger than memory can be.
template <class... Sizes>
std::optional<uint64_t> product(Sizes... sizes) {
  uint64_t bytes = 1;
  for (const uint64_t size : {static_cast<uint64_t>(sizes)...})
    if (__builtin_mul_overflow(bytes, size, &bytes) || bytes > kMostBytes) return {};
  return bytes;
}

bool is_type(MosaicGatherType type) {
  return type == MOSAIC_GATHER_UINT8 || type == MOSAIC_GATHER_FLOAT32;
}

bool is_layout(MosaicGatherLayout layout) {
  return layout == MOSAIC_GATHER_INTERLEAVED || layout == MOSAIC_GATHER_PLANAR;
}

int size_of(MosaicGatherType type) {
  return type == MOSAIC_GATHER_FLOAT32 ? sizeof(float) : sizeof(uint8_t);
}

bool is_valid(const MosaicGatherCodebook& book, MosaicGatherType type, MosaicGatherLayout layout) {
  constexpr uint32_t kMostChannels = 1 << 16;  // the kernel counts planes and rows in int32_t
  return book.samples && book.count > 0 && book.height > 0 && book.height <= INT32_MAX &&
         book.width > 0 && book.channels > 0 && book.channels <= kMostChannels &&
         is_type(book.type) && is_layout(book.layout) && is_type(type) && is_layout(layout) &&
         (type == book.type || type == MOSAIC_GATHER_FLOAT32) &&
         product(book.count, book.height, book.width, book.channels, sizeof(float)) &&
         uint64_t{book.width} * book.channels <= INT32_MAX / sizeof(float);
}

/// Copies samples of a codebook in the order that pictures have.
template <class From, class To, class Convert>
void copy_samples(const MosaicGatherCodebook& book, MosaicGatherLayout layout, Convert convert,
                  To* to) {
  const auto* from = static_cast<const From*>(book.samples);
  const size_t area = size_t{book.height} * book.width, channels = book.channels;
  if (book.layout == layout) {
    for (size_t i = 0; i < book.count * area * channels; ++i) to[i] = convert(from[i]);
    return;
  }
  const bool to_planes = layout == MOSAIC_GATHER_PLANAR;
  for (size_t patch = 0; patch < book.count;
       ++patch, from += area * channels, to += area * channels)
    for (size_t i = 0; i < area; ++i)
      for (size_t c = 0; c < channels; ++c) {
        const size_t in_plane = c * area + i, interleaved = i * channels + c;
        to[to_planes ? in_plane : interleaved] = convert(from[to_planes ? interleaved : in_plane]);
      }
}

void copy_patches(const MosaicGatherCodebook& book, MosaicGatherType type,
                  MosaicGatherLayout layout, uint8_t* to) {
  const auto same = [](auto v) { return v; };
  auto* floats = reinterpret_cast<float*>(to);
  if (type == MOSAIC_GATHER_UINT8)
    copy_samples<uint8_t>(book, layout, same, to);
  else if (book.type == MOSAIC_GATHER_FLOAT32)
    copy_samples<float>(book, layout, same, floats);
  else
    copy_samples<uint8_t>(
        book, layout, [](uint8_t v) { return static_cast<float>(v) / 255; }, floats);
}

/// The bytes of a picture; nullopt: too many.
std::optional<uint64_t> picture_size(const mt::Gather& kernel, uint32_t rows, uint32_t columns) {
  const std::optional<uint64_t> line = product(columns, kernel.run);
  if (!line || *line > INT32_MAX) return {};
  return product(*line, kernel.planes, kernel.patch_rows, rows);
}

template <class Index>
MosaicGatherResult gather(MosaicGather* gather, const Index* indices, uint32_t pictures,
                          uint32_t rows, uint32_t columns, void* out) {
  if (!gather || !indices || !out || pictures == 0 || rows == 0 || columns == 0)
    return MOSAIC_GATHER_INVALID_ARGUMENT;
  const std::optional<uint64_t> size = picture_size(gather->kernel, rows, columns);
  const std::optional<uint64_t> strips = product(pictures, rows);
  if (!size || !product(*size, pictures) || *strips > INT32_MAX)
    return MOSAIC_GATHER_INVALID_ARGUMENT;
  try {
    gather->too_large.resize(*strips);
    mt::Gather kernel = gather->kernel;
    if constexpr (sizeof(Index) == sizeof(uint16_t))
      kernel.index16 = indices;
    else
      kernel.index32 = indices;
    kernel.rows = static_cast<int32_t>(rows);
    kernel.columns = static_cast<int32_t>(columns);
    kernel.out = static_cast<uint8_t*>(out);
    kernel.too_large = gather->too_large.data();
    gather->executor->launch(kernel, static_cast<int>(*strips));
    for (const int32_t wrong : gather->too_large)
      if (wrong > 0) return MOSAIC_GATHER_INVALID_INDEX;
    return MOSAIC_GATHER_OK;
  } catch (const std::exception&) {  // no memory, or no thread
    return MOSAIC_GATHER_NO_MEMORY;
  }
}

}  // namespace

MosaicGatherResult mosaic_gather_new(const MosaicGatherCodebook* codebook, MosaicGatherType type,
                                     MosaicGatherLayout layout, uint32_t threads,
                                     MosaicGather** made) {
  constexpr uint32_t kMostThreads = 1024;
  if (!made) return MOSAIC_GATHER_INVALID_ARGUMENT;
  *made = nullptr;
  if (!codebook || !is_valid(*codebook, type, layout) || threads > kMostThreads)
    return MOSAIC_GATHER_INVALID_ARGUMENT;
  try {
    auto gather = std::make_unique<MosaicGather>();
    const bool planar = layout == MOSAIC_GATHER_PLANAR;
    mt::Gather& kernel = gather->kernel;
    kernel.entries = codebook->count;
    kernel.planes = planar ? static_cast<int32_t>(codebook->channels) : 1;
    kernel.patch_rows = static_cast<int32_t>(codebook->height);
    kernel.run =
        static_cast<int32_t>(codebook->width * (planar ? 1 : codebook->channels)) * size_of(type);
    gather->patches.resize(size_t{codebook->count} * kernel.planes * kernel.patch_rows *
                           kernel.run);
    copy_patches(*codebook, type, layout, gather->patches.data());
    kernel.codebook = gather->patches.data();
    gather->executor = mt::make_cpu_executor(static_cast<int>(threads));
    *made = gather.release();
    return MOSAIC_GATHER_OK;
  } catch (const std::exception&) {
    return MOSAIC_GATHER_NO_MEMORY;
  }
}

void mosaic_gather_free(MosaicGather* gather) {
  delete gather;
}

size_t mosaic_gather_picture_size(const MosaicGather* gather, uint32_t rows, uint32_t columns) {
  if (!gather || rows == 0 || columns == 0) return 0;
  return picture_size(gather->kernel, rows, columns).value_or(0);
}

MosaicGatherResult mosaic_gather_uint16(MosaicGather* gatherer, const uint16_t* indices,
                                        uint32_t pictures, uint32_t rows, uint32_t columns,
                                        void* out) {
  return gather(gatherer, indices, pictures, rows, columns, out);
}

MosaicGatherResult mosaic_gather_uint32(MosaicGather* gatherer, const uint32_t* indices,
                                        uint32_t pictures, uint32_t rows, uint32_t columns,
                                        void* out) {
  return gather(gatherer, indices, pictures, rows, columns, out);
}

const char* mosaic_gather_text(MosaicGatherResult result) {
  switch (result) {
    case MOSAIC_GATHER_OK:
      return "no error";
    case MOSAIC_GATHER_INVALID_ARGUMENT:
      return "an argument is null, zero, unknown or too large";
    case MOSAIC_GATHER_INVALID_INDEX:
      return "an index is not below the number of patches";
    case MOSAIC_GATHER_NO_MEMORY:
      return "there is not enough memory";
  }
  return "an unknown result";
}
