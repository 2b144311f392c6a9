// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvcuvid.so.1: without this library GStreamer's nvcodec plugin registers no elements, not even
// cudaupload and cudadownload. This one reports that it can decode nothing.
#define REFUSES(name)                                            \
  extern "C" __attribute__((visibility("default"))) int name() { \
    return 801; /* not supported */                              \
  }

REFUSES(cuvidCtxLockCreate)
REFUSES(cuvidCtxLockDestroy)
REFUSES(cuvidCtxLock)
REFUSES(cuvidCtxUnlock)
REFUSES(cuvidCreateDecoder)
REFUSES(cuvidReconfigureDecoder)
REFUSES(cuvidDestroyDecoder)
REFUSES(cuvidDecodePicture)
REFUSES(cuvidCreateVideoParser)
REFUSES(cuvidParseVideoData)
REFUSES(cuvidDestroyVideoParser)
REFUSES(cuvidMapVideoFrame)
REFUSES(cuvidUnmapVideoFrame)
REFUSES(cuvidMapVideoFrame64)
REFUSES(cuvidUnmapVideoFrame64)
REFUSES(cuvidGetDecoderCaps)
