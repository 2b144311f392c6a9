// SPDX-License-Identifier: LGPL-2.1-or-later
// The functions for registered memory, input buffers and bitstream buffers.
#include "tests/emulated-gpu/libnvidia-encode/calls.h"
#include "tests/emulated-gpu/libnvidia-encode/functions.h"

namespace emulated_nvenc {
namespace {

constexpr std::size_t kAlignment = 256;  // of the rows of input buffers, in bytes

NVENCSTATUS register_resource(void* handle, NV_ENC_REGISTER_RESOURCE* what) {
  return with(
      "NvEncRegisterResource", handle, what, NV_ENC_REGISTER_RESOURCE_VER, [&](Session& session) {
        if (what->resourceType != NV_ENC_INPUT_RESOURCE_TYPE_CUDADEVICEPTR)
          return session.fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "only device memory can be registered");
        const Layout layout{what->bufferFormat, what->pitch, what->width, what->height};
        if (layout.bytes() == 0)
          return session.fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "unknown format");
        if (layout.pitch < layout.row_bytes() || !what->resourceToRegister ||
            !emulated_gpu_check_range(what->resourceToRegister, layout.bytes()))
          return session.fail(NV_ENC_ERR_RESOURCE_REGISTER_FAILED,
                              "no picture of this size is there");
        what->registeredResource = session.resources.add(
            std::make_shared<Resource>(Resource{what->resourceToRegister, layout}));
        return NV_ENC_SUCCESS;
      });
}

NVENCSTATUS unregister_resource(void* handle, NV_ENC_REGISTERED_PTR resource) {
  return release("NvEncUnregisterResource", handle, [&](Session& session) {
    if (session.resources.remove(resource)) return NV_ENC_SUCCESS;
    return session.fail(NV_ENC_ERR_RESOURCE_NOT_REGISTERED, "no such resource");
  });
}

NVENCSTATUS map_resource(void* handle, NV_ENC_MAP_INPUT_RESOURCE* what) {
  return with("NvEncMapInputResource", handle, what, NV_ENC_MAP_INPUT_RESOURCE_VER,
              [&](Session& session) {
                const auto resource = session.resources.find(what->registeredResource);
                if (!resource)
                  return session.fail(NV_ENC_ERR_RESOURCE_NOT_REGISTERED, "no such resource");
                auto input = std::make_shared<Input>();
                input->layout = resource->layout;
                input->device = resource->address;
                what->mappedBufferFmt = resource->layout.format;
                what->mappedResource = session.inputs.add(std::move(input));
                return NV_ENC_SUCCESS;
              });
}

NVENCSTATUS remove_input(Session& session, void* input, bool mapped, NVENCSTATUS error) {
  const auto found = session.inputs.find(input);
  if (!found || mapped != (found->device != nullptr)) return session.fail(error, "no such input");
  session.inputs.remove(input);
  return NV_ENC_SUCCESS;
}

NVENCSTATUS unmap_resource(void* handle, NV_ENC_INPUT_PTR input) {
  return release("NvEncUnmapInputResource", handle, [&](Session& session) {
    return remove_input(session, input, true, NV_ENC_ERR_RESOURCE_NOT_MAPPED);
  });
}

NVENCSTATUS create_input(void* handle, NV_ENC_CREATE_INPUT_BUFFER* what) {
  return with("NvEncCreateInputBuffer", handle, what, NV_ENC_CREATE_INPUT_BUFFER_VER,
              [&](Session& session) {
                auto input = std::make_shared<Input>();
                Layout& layout = input->layout;
                layout = {what->bufferFmt, 0, what->width, what->height};
                layout.pitch = (layout.row_bytes() + kAlignment - 1) / kAlignment * kAlignment;
                if (layout.bytes() == 0)
                  return session.fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "unknown format or no size");
                input->host.resize(layout.bytes());
                what->inputBuffer = session.inputs.add(std::move(input));
                return NV_ENC_SUCCESS;
              });
}

NVENCSTATUS destroy_input(void* handle, NV_ENC_INPUT_PTR input) {
  return release("NvEncDestroyInputBuffer", handle, [&](Session& session) {
    return remove_input(session, input, false, NV_ENC_ERR_INVALID_PARAM);
  });
}

NVENCSTATUS lock_input(void* handle, NV_ENC_LOCK_INPUT_BUFFER* what) {
  return with("NvEncLockInputBuffer", handle, what, NV_ENC_LOCK_INPUT_BUFFER_VER,
              [&](Session& session) {
                const auto input = session.inputs.find(what->inputBuffer);
                if (!input || input->device || input->locked)
                  return session.fail(NV_ENC_ERR_INVALID_PARAM, "no input buffer to lock");
                input->locked = true;
                what->bufferDataPtr = input->host.data();
                what->pitch = static_cast<std::uint32_t>(input->layout.pitch);
                return NV_ENC_SUCCESS;
              });
}

NVENCSTATUS unlock_input(void* handle, NV_ENC_INPUT_PTR buffer) {
  return release("NvEncUnlockInputBuffer", handle, [&](Session& session) {
    const auto input = session.inputs.find(buffer);
    if (!input || !input->locked)
      return session.fail(NV_ENC_ERR_INVALID_PARAM, "no locked input buffer");
    input->locked = false;
    return NV_ENC_SUCCESS;
  });
}

NVENCSTATUS create_output(void* handle, NV_ENC_CREATE_BITSTREAM_BUFFER* what) {
  return with("NvEncCreateBitstreamBuffer", handle, what, NV_ENC_CREATE_BITSTREAM_BUFFER_VER,
              [&](Session& session) {
                if (!session.initialised()) return NV_ENC_ERR_ENCODER_NOT_INITIALIZED;
                what->bitstreamBuffer = session.outputs.add(std::make_shared<Output>());
                return NV_ENC_SUCCESS;
              });
}

NVENCSTATUS destroy_output(void* handle, NV_ENC_OUTPUT_PTR output) {
  return release("NvEncDestroyBitstreamBuffer", handle,
                 [&](Session& session) { return session.destroy_output(output); });
}

NVENCSTATUS lock_output(void* handle, NV_ENC_LOCK_BITSTREAM* what) {
  if (const NVENCSTATUS fault = fault_of("NvEncLockBitstream"); fault != NV_ENC_SUCCESS)
    return fault;
  if (!what) return NV_ENC_ERR_INVALID_PTR;
  if (what->version != NV_ENC_LOCK_BITSTREAM_VER) return NV_ENC_ERR_INVALID_VERSION;
  return locked(handle,
                [&](Session& session, auto& lock) { return session.lock_output(lock, what); });
}

NVENCSTATUS unlock_output(void* handle, NV_ENC_OUTPUT_PTR output) {
  return release("NvEncUnlockBitstream", handle,
                 [&](Session& session) { return session.unlock_output(output); });
}

}  // namespace

void list_buffers(NV_ENCODE_API_FUNCTION_LIST* list) {
  list->nvEncRegisterResource = register_resource;
  list->nvEncUnregisterResource = unregister_resource;
  list->nvEncMapInputResource = map_resource;
  list->nvEncUnmapInputResource = unmap_resource;
  list->nvEncCreateInputBuffer = create_input;
  list->nvEncDestroyInputBuffer = destroy_input;
  list->nvEncLockInputBuffer = lock_input;
  list->nvEncUnlockInputBuffer = unlock_input;
  list->nvEncCreateBitstreamBuffer = create_output;
  list->nvEncDestroyBitstreamBuffer = destroy_output;
  list->nvEncLockBitstream = lock_output;
  list->nvEncUnlockBitstream = unlock_output;
}

}  // namespace emulated_nvenc
