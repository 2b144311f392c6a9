// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libnvidia-encode/api.h"
#include "tests/emulated-gpu/libnvidia-encode/h264.h"
#include "tests/emulated-gpu/libnvidia-encode/order.h"
#include "tests/emulated-gpu/libnvidia-encode/picture.h"

namespace emulated_nvenc {

/// Registered device memory.
struct Resource {
  const void* address;
  Layout layout;
};

/// What a picture can be read from: a mapped resource, or an input buffer.
struct Input {
  Layout layout;
  const void* device = nullptr;    ///< of a mapped resource
  std::vector<std::uint8_t> host;  ///< of an input buffer
  bool locked = false;
};

/// A bitstream buffer.
struct Output {
  enum State { kIdle, kAwaited, kFilled } state = kIdle;
  bool allowed = false;  ///< see OutputOrder
  bool locked = false;
  Packet packet;
  std::uint64_t timestamp = 0, duration = 0;  ///< of the picture that it contains, as given
  std::uint32_t index = 0;                    ///< likewise
};

/// An encode session. Its functions are called with `mutex` held.
class Session {
 public:
  explicit Session(void* context) : context_(context) {}

  NVENCSTATUS initialise(const NV_ENC_INITIALIZE_PARAMS& init);
  NVENCSTATUS reconfigure(const NV_ENC_RECONFIGURE_PARAMS& change);
  NVENCSTATUS encode(const NV_ENC_PIC_PARAMS& picture);
  NVENCSTATUS finish();
  /// Waits until the output is filled, unless that is not to be waited for.
  NVENCSTATUS lock_output(std::unique_lock<std::mutex>& lock, NV_ENC_LOCK_BITSTREAM* what);
  NVENCSTATUS unlock_output(void* handle);
  NVENCSTATUS destroy_output(void* handle);
  NVENCSTATUS sequence_parameters(NV_ENC_SEQUENCE_PARAM_PAYLOAD* what);
  /// Ends what waits for an output.
  void close();

  bool initialised() const { return settings_.has_value(); }
  void set_stream(void* stream) { stream_ = stream; }
  /// Remembers why a call fails, and returns `status`.
  NVENCSTATUS fail(NVENCSTATUS status, const std::string& why);

  std::mutex mutex;
  emulated_gpu::Handles<Resource> resources;
  emulated_gpu::Handles<Input> inputs;
  emulated_gpu::Handles<Output> outputs;
  std::string last_error;

 private:
  struct Given {
    std::uint64_t timestamp, duration;
    std::uint32_t index;
  };

  NVENCSTATUS check(const Settings& settings);
  NVENCSTATUS start(const Settings& settings);
  /// Reads a picture as its memory is when all work of the input stream is done.
  NVENCSTATUS read(const Input& input, std::vector<std::uint8_t>* bytes);
  NVENCSTATUS drain();
  void fill(std::vector<Packet> packets);
  void allow(std::uint64_t outputs);

  void* const context_;
  void* stream_ = nullptr;  ///< of the CUDA driver; null: stream 0
  std::optional<Settings> settings_;
  std::optional<OutputOrder> order_;
  H264 encoder_;
  bool ended_ = false;  ///< the encoder is finished, and has to be opened again
  bool closed_ = false;
  std::uint64_t numbers_ = 0;  ///< of pictures
  std::map<std::uint64_t, Given> given_;
  std::deque<std::shared_ptr<Output>> awaited_;  ///< not filled, in the order of submission
  std::deque<std::shared_ptr<Output>> held_;     ///< not allowed, likewise
  std::condition_variable filled_;
};

emulated_gpu::Handles<Session>& sessions();
/// Ends a session and releases what is left in it. False if there is none.
bool destroy_session(const void* handle);

}  // namespace emulated_nvenc
