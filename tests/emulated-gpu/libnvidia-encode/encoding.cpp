// SPDX-License-Identifier: LGPL-2.1-or-later
// The functions that open, set up and run an encoder, and the library's two exported functions.
#include <string>

#include "tests/emulated-gpu/libnvidia-encode/calls.h"
#include "tests/emulated-gpu/libnvidia-encode/functions.h"

namespace emulated_nvenc {
namespace {

NVENCSTATUS open(NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS* what, void** encoder) {
  if (const NVENCSTATUS fault = fault_of("NvEncOpenEncodeSessionEx"); fault != NV_ENC_SUCCESS)
    return fault;
  if (!what || !encoder) return NV_ENC_ERR_INVALID_PTR;
  if (what->version != NV_ENC_OPEN_ENCODE_SESSION_EX_PARAMS_VER ||
      what->apiVersion != NVENCAPI_VERSION)
    return NV_ENC_ERR_INVALID_VERSION;
  if (what->deviceType != NV_ENC_DEVICE_TYPE_CUDA) return NV_ENC_ERR_UNSUPPORTED_DEVICE;
  if (!what->device) return NV_ENC_ERR_INVALID_DEVICE;
  *encoder = sessions().add(std::make_shared<Session>(what->device));
  return NV_ENC_SUCCESS;
}

NVENCSTATUS destroy(void* encoder) {
  const NVENCSTATUS fault = fault_of("NvEncDestroyEncoder");
  const bool destroyed = destroy_session(encoder);
  if (fault != NV_ENC_SUCCESS) return fault;
  return destroyed ? NV_ENC_SUCCESS : NV_ENC_ERR_INVALID_ENCODERDEVICE;
}

NVENCSTATUS initialise(void* encoder, NV_ENC_INITIALIZE_PARAMS* what) {
  return with("NvEncInitializeEncoder", encoder, what, NV_ENC_INITIALIZE_PARAMS_VER,
              [&](Session& session) { return session.initialise(*what); });
}

NVENCSTATUS reconfigure(void* encoder, NV_ENC_RECONFIGURE_PARAMS* what) {
  return with("NvEncReconfigureEncoder", encoder, what, NV_ENC_RECONFIGURE_PARAMS_VER,
              [&](Session& session) { return session.reconfigure(*what); });
}

/// @param input, output  point at streams of the CUDA driver
NVENCSTATUS set_streams(void* encoder, NV_ENC_CUSTREAM_PTR input, NV_ENC_CUSTREAM_PTR output) {
  return in_session("NvEncSetIOCudaStreams", encoder, [&](Session& session) {
    if (!input || !output) return NV_ENC_ERR_INVALID_PTR;
    session.set_stream(*static_cast<void**>(input));
    return NV_ENC_SUCCESS;
  });
}

NVENCSTATUS encode(void* encoder, NV_ENC_PIC_PARAMS* what) {
  return with("NvEncEncodePicture", encoder, what, NV_ENC_PIC_PARAMS_VER, [&](Session& session) {
    return what->encodePicFlags & NV_ENC_PIC_FLAG_EOS ? session.finish() : session.encode(*what);
  });
}

NVENCSTATUS sequence_parameters(void* encoder, NV_ENC_SEQUENCE_PARAM_PAYLOAD* what) {
  return with("NvEncGetSequenceParams", encoder, what, NV_ENC_SEQUENCE_PARAM_PAYLOAD_VER,
              [&](Session& session) { return session.sequence_parameters(what); });
}

/// The text is valid until this thread asks again.
const char* last_error(void* encoder) {
  thread_local std::string text;
  text.clear();
  locked(encoder, [](Session& session, auto&) {
    text = session.last_error;
    return NV_ENC_SUCCESS;
  });
  return text.c_str();
}

}  // namespace

void list_encoding(NV_ENCODE_API_FUNCTION_LIST* list) {
  list->nvEncOpenEncodeSessionEx = open;
  list->nvEncDestroyEncoder = destroy;
  list->nvEncInitializeEncoder = initialise;
  list->nvEncReconfigureEncoder = reconfigure;
  list->nvEncSetIOCudaStreams = set_streams;
  list->nvEncEncodePicture = encode;
  list->nvEncGetSequenceParams = sequence_parameters;
  list->nvEncGetLastErrorString = last_error;
}

}  // namespace emulated_nvenc

extern "C" {

[[gnu::visibility("default")]] NVENCSTATUS NvEncodeAPIGetMaxSupportedVersion(
    std::uint32_t* version) {
  const NVENCSTATUS fault = emulated_nvenc::fault_of("NvEncodeAPIGetMaxSupportedVersion");
  if (fault != NV_ENC_SUCCESS) return fault;
  if (!version) return NV_ENC_ERR_INVALID_PTR;
  *version = NVENCAPI_MAJOR_VERSION << 4 | NVENCAPI_MINOR_VERSION;
  return NV_ENC_SUCCESS;
}

[[gnu::visibility("default")]] NVENCSTATUS NvEncodeAPICreateInstance(
    NV_ENCODE_API_FUNCTION_LIST* list) {
  const NVENCSTATUS fault = emulated_nvenc::fault_of("NvEncodeAPICreateInstance");
  if (fault != NV_ENC_SUCCESS) return fault;
  if (!list) return NV_ENC_ERR_INVALID_PTR;
  if (list->version != NV_ENCODE_API_FUNCTION_LIST_VER) return NV_ENC_ERR_INVALID_VERSION;
  emulated_nvenc::list_queries(list);
  emulated_nvenc::list_buffers(list);
  emulated_nvenc::list_encoding(list);
  emulated_nvenc::list_absent(list);
  return NV_ENC_SUCCESS;
}

}  // extern "C"
