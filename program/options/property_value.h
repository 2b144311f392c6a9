// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "program/options/property_table.h"

namespace mosaic_program {

/// What may be written for a property: "0..1", "auto|cpu|cuda", "TEXT".
std::string allowed_text(const PropertyInfo& property);

/// Why a property cannot have a value, and what is allowed; empty: it can. Of texts the element
/// knows more.
std::string objection(const PropertyInfo& property, const std::string& value);

}  // namespace mosaic_program
