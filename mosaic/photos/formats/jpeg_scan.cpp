// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/jpeg_scan.h"

#include <csetjmp>
#include <cstdint>
#include <cstdio>

// jpeglib.h needs FILE from <cstdio>.
#include <jpeglib.h>

// The numbers of messages depend on the version of the library, which jpeglib.h says.
#include <jerror.h>

#include "mosaic/photos/formats/photo_limits.h"

namespace mosaic {
namespace {

/// The decoder's handler of errors, first in the struct, so that it is found from there.
struct Errors {
  jpeg_error_mgr manager;
  std::jmp_buf escape;
  bool ran_out;  ///< the decoder reached the mark of the end and needed more
};

[[noreturn]] void on_error(j_common_ptr decoder) {
  std::longjmp(reinterpret_cast<Errors*>(decoder->err)->escape, 1);
}

void on_message(j_common_ptr decoder, int level) {
  auto* errors = reinterpret_cast<Errors*>(decoder->err);
  if (level < 0 && errors->manager.msg_code == JWRN_HIT_MARKER) errors->ran_out = true;
}

/// After the file's bytes come the marks of an end, as many as the decoder asks for.
boolean give_end(j_decompress_ptr decoder) {
  static constexpr JOCTET kEnd[] = {0xff, JPEG_EOI};
  decoder->src->next_input_byte = kEnd;
  decoder->src->bytes_in_buffer = sizeof kEnd;
  return TRUE;
}

void skip(j_decompress_ptr decoder, long count) {
  jpeg_source_mgr* source = decoder->src;
  const size_t bytes = count > 0 ? static_cast<size_t>(count) : 0;
  if (bytes >= source->bytes_in_buffer) {
    give_end(decoder);
  } else {
    source->next_input_byte += bytes;
    source->bytes_in_buffer -= bytes;
  }
}

}  // namespace

bool jpeg_has_all_pixels(FileBytes bytes) {
  // Without destructors, which an error would leave out.
  jpeg_decompress_struct decoder{};
  Errors errors{};
  decoder.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_error;
  errors.manager.emit_message = on_message;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&decoder);
    return false;
  }
  jpeg_create_decompress(&decoder);
  jpeg_source_mgr source{};
  source.next_input_byte = bytes.data();
  source.bytes_in_buffer = bytes.size();
  source.init_source = source.term_source = [](j_decompress_ptr) {};
  source.fill_input_buffer = give_end;
  source.skip_input_data = skip;
  source.resync_to_restart = jpeg_resync_to_restart;
  decoder.src = &source;
  jpeg_read_header(&decoder, TRUE);
  // With several scans, the decoder keeps 6 bytes for each pixel that the header claims. With
  // arithmetic coding it does not notice that the data has ended.
  const bool is_too_large = jpeg_has_multiple_scans(&decoder) &&
                            int64_t{decoder.image_width} * decoder.image_height > kMaxPhotoPixels;
  if (is_too_large || decoder.arith_code) {
    jpeg_destroy_decompress(&decoder);
    return false;
  }
  decoder.scale_num = 1;
  decoder.scale_denom = 8;  // the least work: only the data is of interest
  decoder.out_color_space = decoder.jpeg_color_space;
  jpeg_start_decompress(&decoder);
  const auto samples = decoder.output_width * static_cast<JDIMENSION>(decoder.output_components);
  auto* const memory = reinterpret_cast<j_common_ptr>(&decoder);
  const JSAMPARRAY row = decoder.mem->alloc_sarray(memory, JPOOL_IMAGE, samples, 1);
  // The header may claim many more rows than there is data for.
  while (decoder.output_scanline < decoder.output_height && !errors.ran_out)
    jpeg_read_scanlines(&decoder, row, 1);
  jpeg_destroy_decompress(&decoder);
  return !errors.ran_out;
}

}  // namespace mosaic
