// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libcuda/driver.h"
#include "tests/emulated-gpu/libnvcuvid/codec.h"
#include "tests/emulated-gpu/libnvcuvid/syntax.h"

namespace emulated_nvdec {

using emulated_gpu::DevicePointer;
using emulated_gpu::Result;

/// A decoder with its surfaces in device memory. Decoding is work of a stream of its own, the
/// engine, and mapping a picture is work of the client's stream: each waits for the other where it
/// touches a surface. All functions use the current context.
class Decoder {
 public:
  /// kNotSupported for what caps() refuses and for scaling. Throws std::bad_alloc.
  static Result create(const CUVIDDECODECREATEINFO& info, std::shared_ptr<Decoder>* decoder);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Frees everything, even if it returns an error, which then is the first.
  Result release();

  Result decode(const CUVIDPICPARAMS& picture);
  Result status(int index, CUVIDGETDECODESTATUS* status);
  /// Waits until the picture is decoded, and copies what is displayed of it into an output surface
  /// on params.output_stream. kMapFailed if all output surfaces are mapped.
  Result map(int index, const CUVIDPROCPARAMS& params, DevicePointer* address, unsigned* pitch);
  Result unmap(DevicePointer address);
  /// Changes sizes, up to the largest ones given at the creation. Mapped pictures stay as they are.
  Result reconfigure(const CUVIDRECONFIGUREDECODERINFO& info);

 private:
  struct Surface {
    DevicePointer memory = 0;
    std::size_t pitch = 0;
    void *decoded = nullptr, *copied = nullptr;  ///< events
    /// Set while the picture is decoded, which may be after another picture has the surface.
    std::shared_ptr<std::atomic<cuvidDecodeStatus>> status;
  };
  struct Output {
    DevicePointer memory = 0;
    std::size_t pitch = 0;
    bool mapped = false;
  };
  /// What is displayed of a surface, in samples.
  struct Area {
    int left, top, width, height;
  };
  struct Work {
    std::function<void()> run;
    std::atomic<bool> done{false};
  };

  explicit Decoder(const CUVIDDECODECREATEINFO& info);
  Result choose_area();
  Result allocate();
  Result add_surfaces();
  Result free_surfaces();
  Surface* decoded_surface(int index);
  /// Queues work for a stream.
  Result submit(void* stream, std::function<void()> run);

  std::mutex mutex_;
  CUVIDDECODECREATEINFO info_;
  Area area_{};
  std::unique_ptr<Syntax> syntax_;
  Codec codec_;
  std::string parameter_sets_;  ///< those that the codec was given last
  void* engine_ = nullptr;      ///< a stream
  std::vector<Surface> surfaces_;
  std::vector<Output> outputs_;
  std::deque<std::unique_ptr<Work>> work_;
};

/// Says what is supported: H.264 and HEVC, 4:2:0 with 8 bits. The other decoders are not emulated.
void caps(CUVIDDECODECAPS* caps);

}  // namespace emulated_nvdec
