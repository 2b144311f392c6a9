// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace test {

/// Called by every operator new of a program that links operator_new.cpp; the program defines it.
/// Returns whether that call gets no memory.
bool allocation_fails();

}  // namespace test
