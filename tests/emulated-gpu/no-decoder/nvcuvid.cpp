// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvcuvid.so.1 of a GPU without decoders. Without this library GStreamer's nvcodec plugin
// registers no elements, not even cudaupload and cudadownload. A decoder is emulated in
// libnvcuvid/.
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
