/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Draws a picture from a codebook and a table of indices, with the library mosaicgather, and writes it to
 * a PPM file.
 *
 *     cc gather.c $(pkg-config --cflags --libs mosaicgather) -o gather && ./gather picture.ppm
 *
 * The codebook has 4096 patches of 8x8 pixels, discs of all colours with 4 bits a channel. The picture
 * shows each of them once.
 */
#include <mosaic_gather.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATCHES = 4096, SIDE = 8, CHANNELS = 3, ROWS = 64, COLUMNS = 64 };

static uint8_t codebook[PATCHES][SIDE][SIDE][CHANNELS];

static void make_codebook(void) {
  for (int patch = 0; patch < PATCHES; ++patch)
    for (int y = 0; y < SIDE; ++y)
      for (int x = 0; x < SIDE; ++x) {
        const int dx = 2 * x - (SIDE - 1), dy = 2 * y - (SIDE - 1);
        const int is_inside = dx * dx + dy * dy < SIDE * SIDE;
        for (int c = 0; c < CHANNELS; ++c) {
          const int level = patch >> 4 * c & 15;
          codebook[patch][y][x][c] = (uint8_t)(is_inside ? 17 * level : 0);
        }
      }
}

static int write_picture(const char *path, const uint8_t *picture, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  const int is_written = fprintf(file, "P6\n%d %d\n255\n", COLUMNS * SIDE, ROWS * SIDE) > 0 &&
                         fwrite(picture, 1, size, file) == size;
  return fclose(file) == 0 && is_written;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: gather PICTURE.ppm\n");
    return 2;
  }
  int is_written = 0;
  make_codebook();
  const MosaicGatherCodebook book = {.samples = codebook,
                                     .count = PATCHES,
                                     .height = SIDE,
                                     .width = SIDE,
                                     .channels = CHANNELS,
                                     .type = MOSAIC_GATHER_UINT8,
                                     .layout = MOSAIC_GATHER_INTERLEAVED};
  uint16_t indices[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i) indices[i] = (uint16_t)(i % PATCHES);

  MosaicGather *gather;
  MosaicGatherResult result =
      mosaic_gather_new(&book, MOSAIC_GATHER_UINT8, MOSAIC_GATHER_INTERLEAVED, 0, &gather);
  if (result == MOSAIC_GATHER_OK) {
    const size_t size = mosaic_gather_picture_size(gather, ROWS, COLUMNS);
    uint8_t *picture = malloc(size);
    result = picture ? mosaic_gather_uint16(gather, indices, 1, ROWS, COLUMNS, picture)
                     : MOSAIC_GATHER_NO_MEMORY;
    if (result == MOSAIC_GATHER_OK) {
      is_written = write_picture(argv[1], picture, size);
      if (!is_written) perror(argv[1]);
    }
    free(picture);
    mosaic_gather_free(gather);
  }
  if (result != MOSAIC_GATHER_OK) fprintf(stderr, "%s\n", mosaic_gather_text(result));
  return is_written ? 0 : 1;
}
