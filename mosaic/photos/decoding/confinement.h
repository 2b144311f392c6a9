// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mosaic {

/// Loads gdk-pixbuf's loaders for the formats of photo_format(), and what else of libraries they
/// may need: a confined process can load nothing.
void load_loaders();

/// Takes from this process, for the rest of its life, the rights to open files, to use the network,
/// to start processes and to send signals to others. It may read and write what is open, take
/// memory and start threads. Calls that are not allowed fail with EPERM.
///
/// libseccomp filters its system calls; where the kernel has Landlock (5.13), that denies it to
/// open files, too.
/// @return whether the filter could be installed
bool confine_process();

}  // namespace mosaic
