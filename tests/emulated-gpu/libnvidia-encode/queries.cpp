// SPDX-License-Identifier: LGPL-2.1-or-later
// The functions that tell what the encoder can do.
#include <algorithm>

#include "tests/emulated-gpu/libnvidia-encode/calls.h"
#include "tests/emulated-gpu/libnvidia-encode/capabilities.h"
#include "tests/emulated-gpu/libnvidia-encode/functions.h"

namespace emulated_nvenc {
namespace {

bool encodes(const GUID& codec) {
  return same(codec, NV_ENC_CODEC_H264_GUID);
}

/// A function that asks something about a codec.
template <class Body>
NVENCSTATUS about(const char* name, void* handle, const GUID& codec, Body body) {
  return in_session(name, handle, [&](Session& session) {
    if (!encodes(codec))
      return session.fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "only H.264 is emulated");
    return body(session);
  });
}

template <class T>
NVENCSTATUS tell_count(std::span<const T> all, std::uint32_t* count) {
  if (!count) return NV_ENC_ERR_INVALID_PTR;
  *count = static_cast<std::uint32_t>(all.size());
  return NV_ENC_SUCCESS;
}

/// Copies as many as there is room for.
template <class T>
NVENCSTATUS tell(std::span<const T> all, T* list, std::uint32_t room, std::uint32_t* count) {
  if (!list || !count) return NV_ENC_ERR_INVALID_PTR;
  *count = std::min(room, static_cast<std::uint32_t>(all.size()));
  std::copy_n(all.begin(), *count, list);
  return NV_ENC_SUCCESS;
}

NVENCSTATUS codec_count(void* handle, std::uint32_t* count) {
  return in_session("NvEncGetEncodeGUIDCount", handle,
                    [&](Session&) { return tell_count(codecs(), count); });
}

NVENCSTATUS codec_list(void* handle, GUID* list, std::uint32_t room, std::uint32_t* count) {
  return in_session("NvEncGetEncodeGUIDs", handle,
                    [&](Session&) { return tell(codecs(), list, room, count); });
}

NVENCSTATUS profile_count(void* handle, GUID codec, std::uint32_t* count) {
  return about("NvEncGetEncodeProfileGUIDCount", handle, codec,
               [&](Session&) { return tell_count(profiles(), count); });
}

NVENCSTATUS profile_list(void* handle, GUID codec, GUID* list, std::uint32_t room,
                         std::uint32_t* count) {
  return about("NvEncGetEncodeProfileGUIDs", handle, codec,
               [&](Session&) { return tell(profiles(), list, room, count); });
}

NVENCSTATUS format_count(void* handle, GUID codec, std::uint32_t* count) {
  return about("NvEncGetInputFormatCount", handle, codec,
               [&](Session&) { return tell_count(input_formats(), count); });
}

NVENCSTATUS format_list(void* handle, GUID codec, NV_ENC_BUFFER_FORMAT* list, std::uint32_t room,
                        std::uint32_t* count) {
  return about("NvEncGetInputFormats", handle, codec,
               [&](Session&) { return tell(input_formats(), list, room, count); });
}

NVENCSTATUS preset_count(void* handle, GUID codec, std::uint32_t* count) {
  return about("NvEncGetEncodePresetCount", handle, codec,
               [&](Session&) { return tell_count(presets(), count); });
}

NVENCSTATUS preset_list(void* handle, GUID codec, GUID* list, std::uint32_t room,
                        std::uint32_t* count) {
  return about("NvEncGetEncodePresetGUIDs", handle, codec,
               [&](Session&) { return tell(presets(), list, room, count); });
}

NVENCSTATUS ask(void* handle, GUID codec, NV_ENC_CAPS_PARAM* what, int* value) {
  return about("NvEncGetEncodeCaps", handle, codec, [&](Session& session) {
    if (!what || !value) return NV_ENC_ERR_INVALID_PTR;
    if (what->version != NV_ENC_CAPS_PARAM_VER)
      return session.fail(NV_ENC_ERR_INVALID_VERSION, "version of the parameters");
    *value = capability(what->capsToQuery);
    return NV_ENC_SUCCESS;
  });
}

NVENCSTATUS tell_preset(Session& session, const GUID& preset, NV_ENC_TUNING_INFO tuning,
                        NV_ENC_PRESET_CONFIG* what) {
  if (!what) return NV_ENC_ERR_INVALID_PTR;
  if (what->version != NV_ENC_PRESET_CONFIG_VER || what->presetCfg.version != NV_ENC_CONFIG_VER)
    return session.fail(NV_ENC_ERR_INVALID_VERSION, "version of the configuration");
  if (std::none_of(presets().begin(), presets().end(),
                   [&](const GUID& each) { return same(each, preset); }))
    return session.fail(NV_ENC_ERR_UNSUPPORTED_PARAM, "unknown preset");
  what->presetCfg = preset_config(preset, tuning);
  return NV_ENC_SUCCESS;
}

NVENCSTATUS configuration(void* handle, GUID codec, GUID preset, NV_ENC_PRESET_CONFIG* what) {
  return about("NvEncGetEncodePresetConfig", handle, codec, [&](Session& session) {
    return tell_preset(session, preset, NV_ENC_TUNING_INFO_UNDEFINED, what);
  });
}

NVENCSTATUS configuration_ex(void* handle, GUID codec, GUID preset, NV_ENC_TUNING_INFO tuning,
                             NV_ENC_PRESET_CONFIG* what) {
  return about("NvEncGetEncodePresetConfigEx", handle, codec, [&](Session& session) {
    if (tuning == NV_ENC_TUNING_INFO_UNDEFINED || tuning >= NV_ENC_TUNING_INFO_COUNT)
      return session.fail(NV_ENC_ERR_INVALID_PARAM, "unknown tuning");
    return tell_preset(session, preset, tuning, what);
  });
}

}  // namespace

void list_queries(NV_ENCODE_API_FUNCTION_LIST* list) {
  list->nvEncGetEncodeGUIDCount = codec_count;
  list->nvEncGetEncodeGUIDs = codec_list;
  list->nvEncGetEncodeProfileGUIDCount = profile_count;
  list->nvEncGetEncodeProfileGUIDs = profile_list;
  list->nvEncGetInputFormatCount = format_count;
  list->nvEncGetInputFormats = format_list;
  list->nvEncGetEncodePresetCount = preset_count;
  list->nvEncGetEncodePresetGUIDs = preset_list;
  list->nvEncGetEncodeCaps = ask;
  list->nvEncGetEncodePresetConfig = configuration;
  list->nvEncGetEncodePresetConfigEx = configuration_ex;
}

}  // namespace emulated_nvenc
