// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a configuration in YAML.
#include "tests/fuzz/apply_config.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::InputFile file("settings.yaml");
  file.write(data, size);
  fuzz::apply_config(file.path());
  return 0;
}
