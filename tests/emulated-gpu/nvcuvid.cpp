// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvcuvid.so.1: GStreamer's nvcodec plugin registers nothing, cudaupload and cudadownload
// included, where this library is missing. It decodes nothing and says so.
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
