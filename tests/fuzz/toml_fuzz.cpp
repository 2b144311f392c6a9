// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a configuration in TOML, and a profile.
#include "mosaic/base/error.h"
#include "mosaic/settings/profile.h"
#include "tests/fuzz/apply_config.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::InputFile file("settings.toml");
  file.write(data, size);
  fuzz::apply_config(file.path());
  try {
    mosaic::load_profile(file.path());
  } catch (const mosaic::Error&) {
  }
  return 0;
}
