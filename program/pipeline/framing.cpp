// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/framing.h"

#include <algorithm>
#include <cmath>

#include "program/failure.h"

namespace mosaic_program {
namespace {

std::string text_of(const OutputSize& size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

class Framer {
 public:
  Framer(const Options& options, const PictureSize& input, bool even)
      : options_(options),
        known_(input.width > 0),
        width_(input.width * input.pixel_width),
        height_(input.height),
        even_(even) {
    // Not all windows show pixels that are not square.
    if ((options.output_size || options.show) && known_ && input.pixel_width != 1)
      framing_.square =
          OutputSize{std::max(1, static_cast<int>(std::lround(width_))), input.height};
    asked_ = options.output_size.value_or(OutputSize{input.width, input.height});
  }

  Framing framing() {
    if (asked_.width > 0 && asked_.height > 0) {
      const OutputSize size = {rounded(asked_.width), rounded(asked_.height)};
      if (text_of(size) != text_of(asked_))
        add_notice("the video is " + text_of(size) + ", not " + text_of(asked_) +
                   ": its sides have to be even numbers");
      if (options_.output_size)
        fill(size);
      else if (text_of(size) != text_of(asked_))
        framing_.size = size;
    } else if (options_.output_size) {
      follow();
    }
    return framing_;
  }

 private:
  int rounded(double side) const {
    const int whole = static_cast<int>(std::lround(side));
    return std::max(even_ ? whole / 2 * 2 : whole, even_ ? 2 : 1);
  }

  void add_notice(const std::string& text) {
    framing_.notice += (framing_.notice.empty() ? "" : "; ") + text;
  }

  /// One side is given.
  void follow() {
    OutputSize size = asked_;
    if (size.width > 0) size.width = rounded(size.width);
    if (size.height > 0) size.height = rounded(size.height);
    if (known_) {
      const double other =
          size.width > 0 ? size.width * height_ / width_ : size.height * width_ / height_;
      if (other > kLargestSide)
        throw WrongUsage("--output-size: the other side would have " +
                         std::to_string(std::lround(other)) + " pixels, and " +
                         std::to_string(kLargestSide) + " is the limit");
      (size.width > 0 ? size.height : size.width) = rounded(other);
    }
    framing_.size = size;
  }

  /// Both sides are given.
  void fill(const OutputSize& size) {
    framing_.size = size;
    const Fit fit = options_.fit.value_or(Fit::kCrop);
    if (fit == Fit::kStretch) return;
    if (!known_) {
      framing_.pad_input = fit == Fit::kPad;
      if (fit == Fit::kCrop) framing_.crop = size;
      return;
    }
    // The part of the input that has the shape of the output.
    const double width = std::min(width_, height_ * size.width / size.height);
    const double height = std::min(height_, width_ * size.height / size.width);
    if (width_ - width < 1 && height_ - height < 1) return;
    if (fit == Fit::kPad)
      pad(size);
    else
      crop(size, width, height);
  }

  void crop(const OutputSize& size, double width, double height) {
    framing_.crop = size;
    if (options_.fit) return;
    const bool sides = width < width_;
    const long share = std::lround(100 * (1 - (sides ? width / width_ : height / height_)));
    add_notice("the picture is cropped to the shape of " + text_of(size) + ": " +
               std::to_string(std::max(share, 1L)) + " % of its " + (sides ? "width" : "height") +
               " are left out (--fit pad: keep all of it; --fit stretch: distort it)");
  }

  void pad(const OutputSize& size) {
    const double scale = std::min(size.width / width_, size.height / height_);
    // Colours of the borders would be mixed with the picture's where a border ends between two
    // pixels that share their colour.
    const int step = even_ ? 4 : 2;
    const auto inner = [step](double side, int most) {
      const int same = (most - static_cast<int>(side)) / step * step;
      return most - std::max(same, 0);
    };
    framing_.size = {inner(width_ * scale, size.width), inner(height_ * scale, size.height)};
    framing_.left = framing_.right = (size.width - framing_.size.width) / 2;
    framing_.top = framing_.bottom = (size.height - framing_.size.height) / 2;
  }

  const Options& options_;
  bool known_;
  double width_, height_;  ///< of the input, in square pixels
  bool even_;
  OutputSize asked_;
  Framing framing_;
};

}  // namespace

Framing frame(const Options& options, const PictureSize& input, bool even) {
  return Framer(options, input, even).framing();
}

}  // namespace mosaic_program
