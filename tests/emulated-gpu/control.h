// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a test asks of the emulated GPU beside the driver's own functions.
///
/// The emulation is a shared library named libcuda.so.1 with host memory behind its device
/// pointers. A test links to it or puts its folder on LD_LIBRARY_PATH; every user in the process
/// then sees the same one device. It emulates a driver, not a GPU.
///
/// **Time.** Work that is submitted to a stream runs in that stream's order:
/// - `eager` (the default): on a thread of the stream, as soon as what it waits for is done;
/// - `deferred`: when somebody waits for it (synchronise, wait for an event, free memory), and then
///   only as far as was waited for, so that the host reads stale bytes where a wait is missing. A
///   query answers "not ready" while work is pending and then runs one piece of it.
///
/// Copies to and from ordinary host memory are as asynchronous as with pinned memory: a driver may
/// stage them, and may not. Freeing memory waits for the context's work, as drivers do. Stream 0
/// waits for the other streams and they for it, unless they were created as non-blocking.
///
/// **Who reaches what.** Pinned host memory has one address for the host and for kernels. Device
/// memory, in deferred mode, is out of the host's reach (SIGSEGV) but for the time of such a wait,
/// and then for all threads; in eager mode, where work may run at any time, it is not guarded.
///
/// **Mistakes** that a driver may not notice end the process with a line on stderr: a copy or fill
/// that leaves its allocation, that reads or writes freed memory or takes a device pointer for a
/// host's, a double free, a damaged red zone (looked at after every launch, when memory is freed
/// and at exit), a handle that does not live. A kernel that touches freed memory or runs more than
/// a page out of its allocation gets SIGSEGV. Fresh memory is filled with 0xCD. What drivers answer
/// with an error code is answered with it: no current context, impossible sizes, unknown kernels.
///
/// **Faults** on demand: emulated_gpu_fault(). A call that fails does nothing, except that one
/// which releases something (free, destroy, unload, pop) releases it all the same, because there
/// the error is that of earlier work.
///
/// Environment, read when the library is loaded:
/// - EMULATED_GPU_MODE=eager|deferred
/// - EMULATED_GPU_FAULT=N:ERROR[:once|late|lost[:NAME,NAME...]] as emulated_gpu_fault()
/// - EMULATED_GPU_CALLER=NAME as emulated_gpu_only_from()
/// - EMULATED_GPU_SUMMARY=FILE: at exit one line with the counts below as `name=value`
#pragma once

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

/// What is alive now, and what has been.
struct EmulatedGpuCounts {
  std::uint64_t contexts;
  std::uint64_t device_blocks;  ///< allocations of device memory
  std::uint64_t device_bytes;
  std::uint64_t pinned_blocks;  ///< allocations of pinned host memory
  std::uint64_t streams;        ///< without the contexts' own stream 0
  std::uint64_t events;
  std::uint64_t modules;
  std::uint64_t pending;             ///< pieces of work that have not run
  std::uint64_t abandoned;           ///< things that lived when their healthy context was destroyed
  std::uint64_t mistakes;            ///< see emulated_gpu_abort_on_mistake()
  std::uint64_t uploads, downloads;  ///< bytes copied from the host, to the host
  std::uint64_t launches;            ///< kernels run
};
void emulated_gpu_counts(EmulatedGpuCounts* counts);

/// Contexts on the calling thread's stack.
std::size_t emulated_gpu_stack_depth();

/// Chooses the mode. Returns false, and changes nothing, while a context lives.
bool emulated_gpu_set_deferred(bool deferred);

/// Looks at every red zone. False, after reporting the mistake, if one is damaged.
bool emulated_gpu_check();

/// Whether `bytes` at `address` lie in one living allocation; reports the mistake if not. For
/// kernels, which get their pointers unchecked.
bool emulated_gpu_check_range(const void* address, std::size_t bytes);

/// What device or pinned memory holds now, without waiting for work. False, and a mistake, if the
/// range lies in no living allocation.
bool emulated_gpu_peek(void* to, const void* device, std::size_t bytes);

/// A mistake ends the process (true, as at the start), or is counted, its line kept, and the call
/// answers with an error code (false).
void emulated_gpu_abort_on_mistake(bool abort);
/// The line of the last mistake, "" if there was none. Valid until this thread asks again.
const char* emulated_gpu_last_mistake();

enum EmulatedGpuFault {
  EMULATED_GPU_ONCE,  ///< that call returns the error
  EMULATED_GPU_LATE,  ///< that call succeeds, the work that it submitted fails: the context is lost
  EMULATED_GPU_LOST,  ///< that call returns the error, and all later ones of every context that
                      ///< lives
};
/// Arms a fault: the n-th call from now (1: the next one) of a function in `names` fails.
/// @param names  commas between, without _v2; null: of any function. "alloc" stands for all that
///               allocate memory.
/// @param error  a CUresult
void emulated_gpu_fault(const char* names, std::uint64_t n, int error, EmulatedGpuFault when);
/// Forgets all faults, those that struck too.
void emulated_gpu_clear_faults();
/// The function, without _v2, that a fault struck last, "" if none did. Valid until this thread
/// asks again.
const char* emulated_gpu_struck();
/// Calls of functions in `names` (as above) since the start or emulated_gpu_reset_calls().
std::uint64_t emulated_gpu_calls(const char* names);
void emulated_gpu_reset_calls();
/// From now on only calls on behalf of a shared object whose file name begins with `object` are
/// counted and can fail: the nearest caller that is not a library of GStreamer, GLib or the C and
/// C++ runtime. Null: all calls.
void emulated_gpu_only_from(const char* object);

/// A launch. `params` points at copies of the arguments made at launch, as in cuLaunchKernel.
struct EmulatedGpuLaunch {
  void* const* params;
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  void* user;  ///< as registered
};
using EmulatedGpuKernel = void (*)(const EmulatedGpuLaunch*);

/// Makes a kernel known to every module. Registering a name again replaces it.
/// @param param_bytes  size of each argument, `params` of them: a launch copies its arguments
void emulated_gpu_register_kernel(const char* name, const std::size_t* param_bytes,
                                  std::size_t params, EmulatedGpuKernel run, void* user);
/// Forgets what was registered, but for the product's own kernels: those are known from the start,
/// under their names in its image (mt_<name>), and run as built for the host. Their groups run one
/// after the other, the last first, on shared memory full of garbage; a launch that a GPU would
/// refuse or run wrongly is a mistake.
void emulated_gpu_forget_kernels();

}  // extern "C"
#pragma GCC visibility pop
