// SPDX-License-Identifier: LGPL-2.1-or-later
// Functions that libgstcuda's loader requires and that are not emulated: OpenGL, EGL, textures and
// sharing between processes. They return kNotSupported and declare no arguments.
#include "tests/emulated-gpu/libcuda/calls.h"

using namespace emulated_gpu;

#define ABSENT(name)                                   \
  EMULATED_GPU_EXPORT Result name() {                  \
    return plain(#name, [] { return kNotSupported; }); \
  }
#define ABSENT_V2(name) \
  ABSENT(name)          \
  EMULATED_GPU_ALSO(name##_v2, name);

ABSENT(cuGraphicsMapResources)
ABSENT(cuGraphicsUnmapResources)
ABSENT(cuGraphicsUnregisterResource)
ABSENT_V2(cuGraphicsResourceSetMapFlags)
ABSENT(cuGraphicsSubResourceGetMappedArray)
ABSENT_V2(cuGraphicsResourceGetMappedPointer)
ABSENT(cuGraphicsGLRegisterImage)
ABSENT(cuGraphicsGLRegisterBuffer)
ABSENT_V2(cuGLGetDevices)
ABSENT(cuGraphicsEGLRegisterImage)
ABSENT(cuGraphicsResourceGetMappedEglFrame)
ABSENT(cuTexObjectCreate)
ABSENT(cuTexObjectDestroy)
ABSENT(cuIpcGetEventHandle)
ABSENT(cuIpcOpenEventHandle)
ABSENT(cuIpcGetMemHandle)
ABSENT_V2(cuIpcOpenMemHandle)
ABSENT(cuIpcCloseMemHandle)
