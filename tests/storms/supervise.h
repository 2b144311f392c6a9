// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <string>

namespace storm {

/// Runs `body` in a child process, so that whatever ends it can be reported: if it does not return
/// 0, prints how it ended, `repeat` (what to run to see it again) and the end of the journal.
/// @param journal path of the file that the body writes; removed if the body succeeds
/// @return 0 if the body succeeded, otherwise 1
int supervise(const std::string& journal, const std::string& repeat,
              const std::function<int()>& body);

/// The largest memory that this process has had in RAM, in MiB.
int peak_memory();

}  // namespace storm
