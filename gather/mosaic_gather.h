/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file
 * Pictures from a codebook: codebook[indices].
 *
 * A codebook is an array of patches, small pictures of one size. A picture is a table of indices,
 * and is drawn by putting the patches that they name beside and below each other. In NumPy:
 *
 *     codebook[indices].transpose(0, 1, 3, 2, 4, 5).reshape(pictures, rows * h, columns * w, c)
 *
 * for a codebook [count][h][w][c] and indices [pictures][rows][columns].
 *
 * The functions may be called from any thread, but calls that use the same MosaicGather must not
 * overlap in time.
 */
#ifndef MOSAIC_GATHER_H
#define MOSAIC_GATHER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
/* From C any int can arrive. C++ may read it as an enumeration, and so refuse it, only if the
   enumeration has int as its type. */
#define MOSAIC_GATHER_INT : int
#else
#define MOSAIC_GATHER_INT
#endif

/** The type of samples. */
typedef enum MOSAIC_GATHER_INT {
  MOSAIC_GATHER_UINT8 = 0,
  MOSAIC_GATHER_FLOAT32 = 1, /**< of a codebook of uint8: divided by 255; of float32: unchanged */
} MosaicGatherType;

/** The order of samples in patches and pictures. */
typedef enum MOSAIC_GATHER_INT {
  MOSAIC_GATHER_INTERLEAVED = 0, /**< [height][width][channels]; of several pictures NHWC */
  MOSAIC_GATHER_PLANAR = 1,      /**< [channels][height][width]; of several pictures NCHW */
} MosaicGatherLayout;

/** What came of a call. */
typedef enum MOSAIC_GATHER_INT {
  MOSAIC_GATHER_OK = 0,
  /** A null pointer, a size of 0, an unknown type, or a size beyond what is supported: a patch of
    more than 2^31 - 1 rows or 65536 channels, a row of a picture of more than 2^31 - 1 bytes, or
    more than 2^31 - 1 rows of patches in all pictures. Nothing was done. */
  MOSAIC_GATHER_INVALID_ARGUMENT = 1,
  /** At least one index is not below the number of patches. The last patch stands in its place, and
      the pictures are complete. */
  MOSAIC_GATHER_INVALID_INDEX = 2,
  /** There is not enough memory. mosaic_gather_new() has made nothing; pictures may be incomplete.
   */
  MOSAIC_GATHER_NO_MEMORY = 3,
} MosaicGatherResult;

/** A codebook. */
typedef struct {
  const void* samples; /**< [count] patches, without gaps */
  uint32_t count;      /**< of patches, 1 or more */
  uint32_t height;     /**< of a patch, samples, 1 or more */
  uint32_t width;      /**< of a patch, samples, 1 or more */
  uint32_t channels;   /**< 1 or more */
  MosaicGatherType type;
  MosaicGatherLayout layout;
} MosaicGatherCodebook;

/** A codebook that was made ready for one kind of pictures. */
typedef struct MosaicGather MosaicGather;

/**
 * Makes a codebook ready. Its samples are copied.
 * @param type    of the pictures: that of the codebook, or float32 of a codebook of uint8
 * @param layout  of the pictures
 * @param threads that draw, the calling one among them, at most 1024; 0: one for each processor
 * that the process may use. Fewer are used if the system refuses more
 * @param gather  receives the result, to be given back with mosaic_gather_free(); null if it fails
 * @return OK, INVALID_ARGUMENT or NO_MEMORY
 */
MosaicGatherResult mosaic_gather_new(const MosaicGatherCodebook* codebook, MosaicGatherType type,
                                     MosaicGatherLayout layout, uint32_t threads,
                                     MosaicGather** gather);

/** @param gather may be null */
void mosaic_gather_free(MosaicGather* gather);

/**
 * The size of a picture in bytes.
 * @param rows    of patches, 1 or more
 * @param columns of patches, 1 or more
 * @return 0: an argument is null or 0, or a size is beyond what is supported
 */
size_t mosaic_gather_picture_size(const MosaicGather* gather, uint32_t rows, uint32_t columns);

/**
 * Draws pictures.
 * @param indices  [pictures][rows][columns]
 * @param out      [pictures], each of mosaic_gather_picture_size() bytes, without gaps; aligned as
 * its type needs. Must not overlap the indices
 * @return OK, INVALID_ARGUMENT, INVALID_INDEX or NO_MEMORY
 */
MosaicGatherResult mosaic_gather_uint16(MosaicGather* gather, const uint16_t* indices,
                                        uint32_t pictures, uint32_t rows, uint32_t columns,
                                        void* out);
/** As mosaic_gather_uint16(). */
MosaicGatherResult mosaic_gather_uint32(MosaicGather* gather, const uint32_t* indices,
                                        uint32_t pictures, uint32_t rows, uint32_t columns,
                                        void* out);

/** A result as a sentence in English, which is never freed. */
const char* mosaic_gather_text(MosaicGatherResult result);

#undef MOSAIC_GATHER_INT
#ifdef __cplusplus
}
#endif

#endif
