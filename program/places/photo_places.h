// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gst/pointers.h"
#include "mosaic/photo_uses/photo_counts.h"

namespace mosaic_program {

/// Which photos a mosaic showed, over all its frames.
struct PhotoUse {
  unsigned photos = 0;   ///< of the pool
  unsigned shown = 0;    ///< of these, shown at least once
  unsigned most = 0;     ///< cells of one frame that showed the same photo, at most
  unsigned nearest = 0;  ///< the smallest distance, in cells, between two uses of a photo in one
                         ///< frame: the greater of columns and rows; 0: none was shown twice
};

/// Notes which photos are shown where: in a file, if one is wanted, and as counts. Of a film the
/// file has one line for each change of a cell's photo.
class PhotoPlaces {
 public:
  /// @param pipeline with the element `mosaic`, not started; its streaming threads end before this
  ///                 object does
  /// @param file     CSV; empty: none. Until finish() an older one stays as it is
  /// Throws WrongUsage if its name does not end in .csv, Failure if it cannot be written.
  PhotoPlaces(GstElement* pipeline, const std::string& file);
  ~PhotoPlaces();
  PhotoPlaces(const PhotoPlaces&) = delete;
  PhotoPlaces& operator=(const PhotoPlaces&) = delete;

  /// To be called when no more frames come.
  PhotoUse use() const { return use_; }
  /// Completes the file. @return what was lost, in a sentence; empty: nothing
  std::string finish();

 private:
  /// Of one frame, see docs/meta.md.
  struct Tables {
    guint columns = 0, rows = 0;
    std::span<const int32_t> x, y, photo;
  };

  static GstPadProbeReturn on_frame(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  void note(GstPad* pad, GstBuffer* buffer);
  void read_names();
  void count(const Tables& tables);
  void write_changes(const Tables& tables, double seconds);
  void write(const std::string& text);

  mosaic_gst::Owned<GstElement> mosaic_;
  std::string file_;
  mosaic_gst::Owned<GObject> stream_;  ///< a GFileOutputStream; null: no file
  std::string failure_;
  PhotoUse use_;
  std::vector<std::string> names_;  ///< of the photos, as the file has them
  std::vector<uint8_t> shown_;      ///< [photos]
  mosaic::PhotoCounter counter_;
  std::vector<int32_t> written_;       ///< [cells]: the photos of the frame before
  std::vector<int32_t> written_grid_;  ///< where its columns and rows began
  mosaic_gst::Owned<GBytes> noted_;    ///< the photos that were counted last
};

}  // namespace mosaic_program
