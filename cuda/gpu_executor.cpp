// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cuda/gpu_executor.h"

#include <array>
#include <cstring>
#include <optional>

#include "cuda/driver.h"
#include "cuda/gpu_kernels.h"
#include "cuda/kernels.h"

namespace mt {
namespace {

constexpr int kKernels = static_cast<int>(KernelId::kCount);
#define MT_NAME(name) "mt_" #name,
constexpr std::array<const char*, kKernels> kNames = {MT_KERNELS(MT_NAME)};
#undef MT_NAME
#define MT_SHARED(name) shared_bytes<name>(),
constexpr std::array<int, kKernels> kSharedOf = {MT_KERNELS(MT_SHARED)};
#undef MT_SHARED

/// Of cuStreamCreate: not in step with the stream 0 of other users.
constexpr unsigned kNonBlocking = 1;
/// What cuModuleLoadData says of an image without code for the device.
constexpr int kNoBinaryForGpu = 209, kUnsupportedPtx = 222;
/// Of cuEventCreate: for order only, not for time.
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
  void set_threads(int threads) override { workers_.emplace(threads); }
  void wait() override;
  void lap(double* ms) override;
  void use_stream(void* stream) override;
  void* stream() const override { return stream_; }

 protected:
  void run(KernelId id, const void* kernel, int count) override;

 private:
  struct Lap {
    void* event;
    double* ms;  ///< of the time since the lap before; may be null
  };

  void open();
  void close();
  void settle_laps();

  const Driver& cu_;
  GpuContext context_;
  std::optional<WorkerPool> workers_;
  void* module_ = nullptr;
  std::array<void*, kKernels> functions_{};
  void* own_stream_ = nullptr;
  void* stream_ = nullptr;
  void* order_ = nullptr;  ///< event between two streams
  const Tables* tables_ = nullptr;
  std::array<Lap, 24> laps_{};  ///< two frames' and to spare
  size_t laps_taken_ = 0;
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
    for (Lap& lap : laps_) MT_GPU_CALL(cu_, cuEventCreate, &lap.event, 0);
    const int loaded = cu_.cuModuleLoadData(&module_, kGpuKernels);
    if (loaded == kNoBinaryForGpu || loaded == kUnsupportedPtx)
      throw NoGpuKernels("this build has no kernels for a GPU of this kind");
    check_gpu(cu_, loaded, "cuModuleLoadData");
    for (int i = 0; i < kKernels; ++i)
      MT_GPU_CALL(cu_, cuModuleGetFunction, &functions_[i], module_, kNames[i]);
  }
  void* tables = allocate(sizeof(Tables), Memory::kDevice);
  tables_ = static_cast<const Tables*>(tables);
  to_device(tables, &mt::tables(), sizeof(Tables));
  wait();
}

/// Whatever the driver says: what can be given back is.
void Gpu::close() {
  if (tables_) release(const_cast<Tables*>(tables_), Memory::kDevice);
  try {
    const CurrentContext current(cu_, context_.context);
    if (own_stream_) cu_.cuStreamSynchronize(own_stream_);
    for (Lap& lap : laps_)
      if (lap.event) cu_.cuEventDestroy(lap.event);
    if (order_) cu_.cuEventDestroy(order_);
    if (module_) cu_.cuModuleUnload(module_);
    if (own_stream_) cu_.cuStreamDestroy(own_stream_);
  } catch (const GpuError&) {
    // The context is lost, and with it all that was in it.
  }
}

void* Gpu::allocate(size_t bytes, Memory where) {
  const CurrentContext current(cu_, context_.context);
  if (where == Memory::kShared) {
    // The host's address is the device's too, on every 64-bit system.
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
    // A kernel may still be at it: cuMemFree waits for the device, cuMemFreeHost need not.
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
    settle_laps();
  } catch (...) {
    laps_taken_ = 0;  // whoever asked may be gone by the next call
    throw;
  }
}

void Gpu::lap(double* ms) {
  if (laps_taken_ == laps_.size()) return;  // nobody waits, so nobody wants to know
  const CurrentContext current(cu_, context_.context);
  MT_GPU_CALL(cu_, cuEventRecord, laps_[laps_taken_].event, stream_);
  laps_[laps_taken_++].ms = ms;
}

void Gpu::settle_laps() {
  for (size_t i = 1; i < laps_taken_; ++i) {
    if (!laps_[i].ms) continue;
    float ms = 0;
    MT_GPU_CALL(cu_, cuEventElapsedTime, &ms, laps_[i - 1].event, laps_[i].event);
    *laps_[i].ms = static_cast<double>(ms);
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
