// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/colour_profile.h"

#include <glib.h>
#include <lcms2.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

namespace mosaic {
namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct DeleteTransform {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Profile = std::unique_ptr<std::remove_pointer_t<cmsHPROFILE>, CloseProfile>;
using Transform = std::unique_ptr<std::remove_pointer_t<cmsHTRANSFORM>, DeleteTransform>;

/// Differences up to this come from rounding, in the tables of a profile and in the conversion.
constexpr int kRounding = 2;

struct CurveDeleter {
  void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};

Profile make_profile(PhotoColours colours) {
  if (colours == PhotoColours::kSrgb) return nullptr;
  const bool adobe = colours == PhotoColours::kAdobeRgb;
  constexpr cmsCIExyY kWhite{0.3127, 0.3290, 1};
  constexpr cmsCIExyYTRIPLE kAdobe{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
  constexpr cmsCIExyYTRIPLE kP3{{0.68, 0.32, 1}, {0.265, 0.69, 1}, {0.15, 0.06, 1}};
  constexpr cmsFloat64Number kSrgbCurve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  const std::unique_ptr<cmsToneCurve, CurveDeleter> curve(
      adobe ? cmsBuildGamma(nullptr, 563 / 256.0)
            : cmsBuildParametricToneCurve(nullptr, 4, kSrgbCurve));
  cmsToneCurve* const curves[] = {curve.get(), curve.get(), curve.get()};
  return Profile(cmsCreateRGBProfile(&kWhite, adobe ? &kAdobe : &kP3, curves));
}

Profile profile_of(GdkPixbuf* pixbuf, FileBytes other) {
  const gchar* text = gdk_pixbuf_get_option(pixbuf, "icc-profile");
  if (!text)
    return Profile(other.empty() ? nullptr
                                 : cmsOpenProfileFromMem(
                                       other.data(), static_cast<cmsUInt32Number>(other.size())));
  gsize size = 0;
  const std::unique_ptr<guchar, void (*)(gpointer)> bytes(g_base64_decode(text, &size), g_free);
  return Profile(cmsOpenProfileFromMem(bytes.get(), static_cast<cmsUInt32Number>(size)));
}

/// The profile's name of itself, without anything that a terminal could take for a command.
std::string name_of(const Profile& profile) {
  char text[64] = "";
  cmsGetProfileInfoASCII(profile.get(), cmsInfoDescription, "en", "US", text, sizeof text);
  text[sizeof text - 1] = 0;
  std::string name;
  for (const char* c = text; *c; ++c)
    if (*c >= ' ' && *c <= '~') name += *c;
  return name.empty() ? "another colour profile" : name;
}

/// Whether a conversion changes no colour by more than rounding does.
bool is_identity(const Transform& transform) {
  constexpr int kSteps = 9;
  std::vector<uint8_t> colours, converted(3 * kSteps * kSteps * kSteps);
  for (int i = 0; i < kSteps * kSteps * kSteps; ++i)
    for (const int step : {i / (kSteps * kSteps), i / kSteps % kSteps, i % kSteps})
      colours.push_back(static_cast<uint8_t>(255 * step / (kSteps - 1)));
  cmsDoTransform(transform.get(), colours.data(), converted.data(),
                 static_cast<cmsUInt32Number>(colours.size() / 3));
  return std::equal(colours.begin(), colours.end(), converted.begin(),
                    [](int a, int b) { return std::abs(a - b) <= kRounding; });
}

Transform make_transform(const Profile& from, cmsUInt32Number in, cmsUInt32Number out) {
  const Profile srgb(cmsCreate_sRGBProfile());
  return Transform(
      cmsCreateTransform(from.get(), in, srgb.get(), out, INTENT_PERCEPTUAL, cmsFLAGS_COPY_ALPHA));
}

/// Calls convert(row) for each row of pixels.
template <class Convert>
void for_each_row(GdkPixbuf* pixbuf, const Convert& convert) {
  const int height = gdk_pixbuf_get_height(pixbuf);
  const auto stride = static_cast<size_t>(gdk_pixbuf_get_rowstride(pixbuf));
  guchar* pixels = gdk_pixbuf_get_pixels(pixbuf);
  for (int y = 0; y < height; ++y) convert(pixels + static_cast<size_t>(y) * stride);
}

/// @return whether colours were converted
bool convert_colours(GdkPixbuf* pixbuf, const Profile& profile) {
  const Transform sample = make_transform(profile, TYPE_RGB_8, TYPE_RGB_8);
  if (!sample || is_identity(sample)) return false;
  const cmsUInt32Number layout = gdk_pixbuf_get_has_alpha(pixbuf) ? TYPE_RGBA_8 : TYPE_RGB_8;
  const Transform transform = make_transform(profile, layout, layout);
  if (!transform) return false;
  const auto width = static_cast<cmsUInt32Number>(gdk_pixbuf_get_width(pixbuf));
  for_each_row(pixbuf, [&](guchar* row) { cmsDoTransform(transform.get(), row, row, width); });
  return true;
}

/// The loader made three equal values of each grey one.
bool convert_greys(GdkPixbuf* pixbuf, const Profile& profile) {
  const Transform transform = make_transform(profile, TYPE_GRAY_8, TYPE_RGB_8);
  if (!transform) return false;
  uint8_t greys[256], colours[256][3];
  for (int i = 0; i < 256; ++i) greys[i] = static_cast<uint8_t>(i);
  cmsDoTransform(transform.get(), greys, colours, 256);
  int most = 0;
  for (int i = 0; i < 256; ++i)
    for (const int value : colours[i]) most = std::max(most, std::abs(value - i));
  if (most <= kRounding) return false;
  const int width = gdk_pixbuf_get_width(pixbuf), channels = gdk_pixbuf_get_n_channels(pixbuf);
  for_each_row(pixbuf, [&](guchar* row) {
    for (guchar* pixel = row; pixel < row + width * channels; pixel += channels)
      std::copy_n(colours[pixel[0]], 3, pixel);
  });
  return true;
}

}  // namespace

std::string convert_to_srgb(GdkPixbuf* pixbuf, FileBytes other, PhotoColours colours) {
  Profile profile = profile_of(pixbuf, other);
  const bool named = profile != nullptr;
  if (!named) profile = make_profile(colours);
  if (!profile) return {};
  const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
  const bool converted = space == cmsSigRgbData    ? convert_colours(pixbuf, profile)
                         : space == cmsSigGrayData ? convert_greys(pixbuf, profile)
                                                   : false;
  if (!converted) return {};
  if (named) return name_of(profile);
  return colours == PhotoColours::kAdobeRgb ? "Adobe RGB" : "Display P3";
}

}  // namespace mosaic
