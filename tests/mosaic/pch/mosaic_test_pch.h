// SPDX-License-Identifier: LGPL-2.1-or-later
// Headers that many tests include, parsed once for all of them (precompiled). Each
// source still includes what it uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>
