// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tests/emulated-gpu/libnvidia-encode/api.h"

namespace emulated_nvenc {

/// Each writes its functions into the list.
void list_queries(NV_ENCODE_API_FUNCTION_LIST* list);
void list_buffers(NV_ENCODE_API_FUNCTION_LIST* list);
void list_encoding(NV_ENCODE_API_FUNCTION_LIST* list);
void list_absent(NV_ENCODE_API_FUNCTION_LIST* list);

}  // namespace emulated_nvenc
