// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/settings/profile.h"

#include <gmock/gmock.h>

#include <fstream>

#include "mosaic/base/error.h"

namespace {

using mosaic::Look;
using testing::HasSubstr;

Look load_text(const std::string& text) {
  const std::string path = testing::TempDir() + "mosaictemporal-profile.toml";
  std::ofstream(path) << text;
  return mosaic::load_profile(path);
}

/// Message and hint of the error that loading a profile of this text throws.
std::string error_of(const std::string& text) {
  try {
    load_text(text);
  } catch (const mosaic::Error& error) {
    EXPECT_EQ(mosaic::Error::Kind::kSettings, error.kind());
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(Profile, LoadsBuiltInsByName) {
  EXPECT_THAT(mosaic::profile_names(),
              testing::ElementsAre("faithful", "fast", "film", "natural", "photos", "plain", "tile",
                                   "ultra", "vivid", "vivid_b"));
  const Look vivid = mosaic::load_profile("vivid");
  EXPECT_EQ(mosaic::TransferKind::kMklHybrid, vivid.color_transfer);
  EXPECT_EQ(5, vivid.neighbor_swap_rounds);
  EXPECT_EQ(0.14, vivid.base_blend_max);
  EXPECT_EQ(14, vivid.local_contrast_grid);
  EXPECT_EQ(0.65, vivid.skin_lum_protection);
  EXPECT_EQ(1.45, vivid.warm());
  const Look ultra = mosaic::load_profile("ultra");
  EXPECT_TRUE(ultra.laplacian_blend);
  EXPECT_EQ(1.45, ultra.cool()) << "as saturation_boost";
  EXPECT_EQ(mosaic::PlacementKind::kDiffusion, mosaic::load_profile("fast").placement);
  EXPECT_EQ(Look(), mosaic::load_profile("plain"));
}

TEST(Profile, VividBIsVividWithMoreSaturation) {
  Look vivid = mosaic::load_profile("vivid");
  vivid.saturation_boost = vivid.boost_cool = 2.10;
  vivid.boost_warm = 1.74;
  EXPECT_EQ(vivid, mosaic::load_profile("vivid_b"));
}

TEST(Profile, LoadsAFile) {
  const Look look = load_text(
      "description = \"mine\"\ngamma = 2\nlaplacian_blend = true\n"
      "color_transfer = \"hybrid\"\nshadow_lift = 255\n");
  EXPECT_EQ(2.0, look.gamma);
  EXPECT_TRUE(look.laplacian_blend);
  EXPECT_EQ(mosaic::TransferKind::kHybrid, look.color_transfer);
  EXPECT_EQ(255, look.shadow_lift);
  EXPECT_EQ(Look().sharpness, look.sharpness);
}

TEST(Profile, ErrorsNameFileLineAndRange) {
  EXPECT_THAT(error_of("gamma = 1\nsharpness = 9\n"),
              HasSubstr("profile.toml, line 2: sharpness is 9 | use a number from 0 to 5"));
  EXPECT_THAT(error_of("\nglow = 1\n"),
              HasSubstr("line 2: there is no field glow | fields: placement, "));
  EXPECT_THAT(error_of("gamma = \"high\"\n"),
              HasSubstr("line 1: gamma is not a number | use a number from 0.1 to 10"));
  EXPECT_THAT(error_of("gamma = nan\n"), HasSubstr("line 1: gamma is nan"));
  EXPECT_THAT(error_of("shadow_lift = 1.5\n"), HasSubstr("shadow_lift is not a whole number"));
  EXPECT_THAT(error_of("shadow_lift = 99999999999999\n"), HasSubstr("from 0 to 255"));
  EXPECT_THAT(error_of("laplacian_blend = 1\n"),
              HasSubstr("laplacian_blend is not a boolean | use true or false"));
  EXPECT_THAT(error_of("color_transfer = \"magic\"\n"),
              HasSubstr("is not valid | use none, adaptive_reinhard, histogram, "));
  EXPECT_THAT(error_of("gamma = [1]\n"), HasSubstr("gamma is not a number"));
  EXPECT_THAT(error_of("gamma 1\n"), HasSubstr("line 1"));
  EXPECT_THAT(error_of(std::string("\xff\x00\x01", 3)), HasSubstr("line 1"));
}

TEST(Profile, RejectsUnknownNames) {
  for (const char* name : {"vivd", "", "/nonexistent/look.toml"}) try {
      mosaic::load_profile(name);
      ADD_FAILURE() << name;
    } catch (const mosaic::Error& error) {
      EXPECT_EQ(mosaic::Error::Kind::kNotFound, error.kind());
      EXPECT_THAT(error.hint(), HasSubstr("vivid_b"));
    }
}

TEST(Look, DefaultsAreInRange) {
  const Look look;
  for (const mosaic::LookField& field : mosaic::look_fields()) {
    EXPECT_FALSE(field.blurb.empty());
    if (const auto* number = std::get_if<double Look::*>(&field.member)) {
      EXPECT_GE(look.**number, field.min) << field.name;
      EXPECT_LE(look.**number, field.max) << field.name;
    }
    if (const auto* number = std::get_if<int Look::*>(&field.member)) {
      EXPECT_GE(look.**number, field.min) << field.name;
      EXPECT_LE(look.**number, field.max) << field.name;
    }
  }
}

}  // namespace
