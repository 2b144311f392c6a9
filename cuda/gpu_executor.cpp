// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cuda/gpu_executor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "cuda/driver.h"
#include "cuda/gpu_kernels.h"
#include "executor/lap_times.h"
#include "kernels/all/kernels.h"
#include "kernels/math/tables.h"

namespace mt {
namespace {

constexpr int kKernels = static_cast<int>(KernelId::kCount);
#define MT_NAME(name) "mt_" #name,
constexpr std::array<const char*, kKernels> kNames = {MT_KERNELS(MT_NAME)};
#undef MT_NAME
#define MT_SHARED(name) shared_bytes<name>(),
constexpr std::array<int, kKernels> kSharedOf = {MT_KERNELS(MT_SHARED)};
#undef MT_SHARED

/// Flag of cuStreamCreate (CU_STREAM_NON_BLOCKING): does not synchronise with stream 0, which
/// others may use.
constexpr unsigned kNonBlocking = 1;
/// Result of cuModuleLoadData for an image without code for a GPU of this kind.
constexpr int kNoBinaryForGpu = 209;
/// Its results for an image that it rejects although GPU and context are fine: invalid image,
/// no code, invalid PTX, no compiler for PTX, PTX of a later version, compiling disabled, invalid
/// source, a compiler that cannot be loaded, not supported.
constexpr std::array kImageRefused = {200, kNoBinaryForGpu, 218, 221, 222, 223, 300, 302, 303, 801};
/// Flag of cuEventCreate (CU_EVENT_DISABLE_TIMING): the event orders work but measures no time.
constexpr unsigned kNoTiming = 2;

uint64_t address(const void* device) {
  return reinterpret_cast<uint64_t>(device);
}

class Gpu final : public GpuExecutor {
 public:
  Gpu(const Driver& driver, const GpuContext& context, int threads);
  ~Gpu() override { close(); }

  void* allocate(size_t bytes, Memory where) override;
  void release(void* memory, Memory where) override;
  bool unified() const override { return false; }
  void to_device(void* device, const void* host, size_t bytes) override;
  void to_host(void* host, const void* device, size_t bytes) override;
  const Tables* tables() override { return tables_; }
  WorkerPool& workers() override { return *workers_; }
  void set_threads(int threads) override {
    workers_.emplace(threads);
    workers_->set_cancellation(cancellation());
  }
  void wait() override;
  Lap lap() override;
  std::optional<double> ms(Lap lap) const override { return times_.ms(lap); }
  void use_stream(void* stream) override;
  void* stream() const override { return stream_; }
  const std::string& driver_warning() const override { return driver_warning_; }

 protected:
  void run(KernelId id, const void* kernel, int count) override;

 private:
  struct LapEnd {
    void* event;
    Lap lap;
  };

  void open();
  void load_kernels();
  void close();
  void read_lap_times();

  const Driver& cu_;
  GpuContext context_;
  std::optional<WorkerPool> workers_;
  void* module_ = nullptr;
  std::string driver_warning_;
  std::array<void*, kKernels> functions_{};
  void* own_stream_ = nullptr;
  void* stream_ = nullptr;
  void* order_ = nullptr;  ///< event that makes one stream wait for another
  const Tables* tables_ = nullptr;
  std::array<LapEnd, 24> laps_{};  ///< since the last wait(): room for those of two frames
  size_t laps_taken_ = 0;
  LapTimes times_;
};

Gpu::Gpu(const Driver& driver, const GpuContext& context, int threads)
    : cu_(driver), context_(context) {
  workers_.emplace(threads);
  try {
    open();
  } catch (...) {
    close();
    throw;
  }
}

void Gpu::open() {
  {
    const CurrentContext current(cu_, context_.context);
    MT_GPU_CALL(cu_, cuStreamCreate, &own_stream_, kNonBlocking);
    stream_ = own_stream_;
    MT_GPU_CALL(cu_, cuEventCreate, &order_, kNoTiming);
    for (LapEnd& lap : laps_) MT_GPU_CALL(cu_, cuEventCreate, &lap.event, 0);
    load_kernels();
    for (int i = 0; i < kKernels; ++i)
      MT_GPU_CALL(cu_, cuModuleGetFunction, &functions_[i], module_, kNames[i]);
  }
  void* tables = allocate(sizeof(Tables), Memory::kDevice);
  tables_ = static_cast<const Tables*>(tables);
  to_device(tables, &mt::tables(), sizeof(Tables));
  wait();
}

/// A driver older than nvcc may be unable to read the image. Then it may still read the PTX and
/// compile it itself.
void Gpu::load_kernels() {
  const auto refused = [&](int result) {
    if (std::find(kImageRefused.begin(), kImageRefused.end(), result) != kImageRefused.end())
      return true;
    check_gpu(cu_, result, "cuModuleLoadData");
    return false;
  };
  const int image = cu_.cuModuleLoadData(&module_, kGpuKernels);
  if (!refused(image)) return;
  const std::string driver = "the NVIDIA driver (" + driver_version(cu_) + ")";
  const std::string words = error_text(cu_, image);
  if (image == kNoBinaryForGpu)
    throw NoGpuKernels("this build has no kernels for this kind of GPU; " + driver + " reported " +
                       words);
  const int ptx = cu_.cuModuleLoadData(&module_, kGpuPtx);
  if (refused(ptx))
    throw NoGpuKernels(driver + " rejected this build's kernels (" + words + ") and their PTX (" +
                       error_text(cu_, ptx) + ")");
  driver_warning_ =
      driver + " rejected this build's machine code (" + words +
      ") and compiled the kernels from PTX, which takes longer at every start (a newer "
      "driver avoids this)";
}

/// Releases whatever can be released, and ignores errors of the driver.
void Gpu::close() {
  if (tables_) release(const_cast<Tables*>(tables_), Memory::kDevice);
  try {
    const CurrentContext current(cu_, context_.context);
    if (own_stream_) cu_.cuStreamSynchronize(own_stream_);
    for (LapEnd& lap : laps_)
      if (lap.event) cu_.cuEventDestroy(lap.event);
    if (order_) cu_.cuEventDestroy(order_);
    if (module_) cu_.cuModuleUnload(module_);
    if (own_stream_) cu_.cuStreamDestroy(own_stream_);
  } catch (const GpuError&) {
    // The context is lost, and with it everything that it held.
  }
}

void* Gpu::allocate(size_t bytes, Memory where) {
  const CurrentContext current(cu_, context_.context);
  if (where == Memory::kShared) {
    // On every 64-bit system the address is valid on host and device.
    void* memory = nullptr;
    MT_GPU_CALL(cu_, cuMemAllocHost, &memory, bytes);
    std::memset(memory, 0, bytes);
    return memory;
  }
  uint64_t device = 0;
  MT_GPU_CALL(cu_, cuMemAlloc, &device, bytes);
  if (const int result = cu_.cuMemsetD8Async(device, 0, bytes, stream_)) {
    cu_.cuMemFree(device);
    check_gpu(cu_, result, "cuMemsetD8Async");
  }
  return reinterpret_cast<void*>(device);
}

void Gpu::release(void* memory, Memory where) {
  try {
    const CurrentContext current(cu_, context_.context);
    // A kernel may still use the memory: cuMemFree waits for the device, cuMemFreeHost need not.
    cu_.cuStreamSynchronize(stream_);
    if (where == Memory::kShared)
      cu_.cuMemFreeHost(memory);
    else
      cu_.cuMemFree(address(memory));
  } catch (const GpuError&) {
    // As in close().
  }
}

void Gpu::to_device(void* device, const void* host, size_t bytes) {
  const CurrentContext current(cu_, context_.context);
  MT_GPU_CALL(cu_, cuMemcpyHtoDAsync, address(device), host, bytes, stream_);
}

void Gpu::to_host(void* host, const void* device, size_t bytes) {
  const CurrentContext current(cu_, context_.context);
  MT_GPU_CALL(cu_, cuMemcpyDtoHAsync, host, address(device), bytes, stream_);
}

void Gpu::run(KernelId id, const void* kernel, int count) {
  const CurrentContext current(cu_, context_.context);
  const int i = static_cast<int>(id);
  int32_t groups = count;
  void* parameters[] = {const_cast<void*>(kernel), &groups};
  MT_GPU_CALL(cu_, cuLaunchKernel, functions_[i], static_cast<unsigned>(count), 1, 1, kGpuThreads,
              1, 1, static_cast<unsigned>(kSharedOf[i]), stream_, parameters, nullptr);
}

void Gpu::wait() {
  try {
    const CurrentContext current(cu_, context_.context);
    MT_GPU_CALL(cu_, cuStreamSynchronize, stream_);
    read_lap_times();
  } catch (...) {
    laps_taken_ = 0;
    throw;
  }
}

Lap Gpu::lap() {
  if (laps_taken_ == laps_.size()) return {};  // too many laps since wait(): not timed
  const CurrentContext current(cu_, context_.context);
  LapEnd& end = laps_[laps_taken_];
  MT_GPU_CALL(cu_, cuEventRecord, end.event, stream_);
  end.lap = times_.next();
  ++laps_taken_;
  return end.lap;
}

void Gpu::read_lap_times() {
  for (size_t i = 1; i < laps_taken_; ++i) {
    float ms = 0;
    MT_GPU_CALL(cu_, cuEventElapsedTime, &ms, laps_[i - 1].event, laps_[i].event);
    times_.store(laps_[i].lap, static_cast<double>(ms));
  }
  laps_taken_ = 0;
}

void Gpu::use_stream(void* stream) {
  if (!stream) stream = own_stream_;
  if (stream == stream_) return;
  const CurrentContext current(cu_, context_.context);
  MT_GPU_CALL(cu_, cuEventRecord, order_, stream_);
  MT_GPU_CALL(cu_, cuStreamWaitEvent, stream, order_, 0);
  stream_ = stream;
}

}  // namespace

bool has_gpu_kernels() {
  return kGpuKernelsSize > 0;
}

namespace {

const Driver& driver_or_throw() {
  const Driver* cu = driver();
  if (!cu) throw GpuError("no CUDA driver (libcuda.so.1) is installed, or it is too old");
  return *cu;
}

}  // namespace

GpuContext primary_gpu_context(int device) {
  const Driver& cu = driver_or_throw();
  MT_GPU_CALL(cu, cuInit, 0);
  int handle = 0;
  MT_GPU_CALL(cu, cuDeviceGet, &handle, device);
  void* context = nullptr;
  MT_GPU_CALL(cu, cuDevicePrimaryCtxRetain, &context, handle);
  return {context, std::shared_ptr<void>(
                       context, [&cu, handle](void*) { cu.cuDevicePrimaryCtxRelease(handle); })};
}

std::shared_ptr<GpuExecutor> make_gpu_executor(const GpuContext& context, int threads) {
  const Driver& cu = driver_or_throw();
  if (!has_gpu_kernels()) throw NoGpuKernels("this build has no kernels for GPUs");
  return std::make_shared<Gpu>(cu, context, threads);
}

}  // namespace mt
