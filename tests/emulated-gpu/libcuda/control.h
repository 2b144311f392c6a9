// SPDX-License-Identifier: LGPL-2.1-or-later
/// Functions for tests of the emulated GPU, in addition to the driver's own.
///
/// The emulation is a shared library named libcuda.so.1 whose device pointers are host memory. A
/// test links to it or puts its folder on LD_LIBRARY_PATH; the whole process then uses the same
/// single device. It emulates a driver, not a GPU.
///
/// **Modes.** Work that is submitted to a stream runs in that stream's order:
/// - `eager` (the default): on a thread of the stream, as soon as the work it depends on is done;
/// - `deferred`: only when a call waits for it (synchronise, wait for an event, free memory), and
///   only as much as that call waits for, so that the host reads stale bytes where a wait is
///   missing. A query returns "not ready" while work is pending, and then runs one piece of work.
///
/// Copies to and from ordinary host memory are as asynchronous as with pinned memory, because a
/// driver need not stage them. Freeing memory waits for the context's work, as drivers do. Stream 0
/// and the other streams wait for each other, except those created as non-blocking.
///
/// **Access.** Pinned host memory has one address for the host and for kernels. In deferred mode
/// the host gets SIGSEGV when it accesses device memory, except while any thread's call waits for
/// work; in eager mode, where work may run at any time, device memory is not protected.
///
/// **Mistakes** that a driver may not notice end the process with a line on stderr: a copy or fill
/// outside of its allocation, in freed memory or with a device pointer in place of a host pointer;
/// a double free; a damaged red zone (checked after every launch, when memory is freed and at
/// exit); an invalid handle; a kernel of the product that writes past its shared memory. A kernel
/// that accesses freed memory or more than a page outside of its allocation gets SIGSEGV. New
/// memory is filled with 0xCD. Errors that drivers detect return the driver's error code: no
/// current context, invalid sizes, unknown kernels.
///
/// **Faults** are injected with emulated_gpu_fault(). A call that fails does nothing, except that a
/// call which releases something (free, destroy, unload, pop) still does so, because the error that
/// it returns is that of earlier work.
///
/// Environment, read when the library is loaded:
/// - EMULATED_GPU_MODE=eager|deferred
/// - EMULATED_GPU_FAULT=N:ERROR[:once|late|lost[:NAME,NAME...]] as emulated_gpu_fault()
/// - EMULATED_GPU_CALLER=NAME as emulated_gpu_only_from()
/// - EMULATED_GPU_SUMMARY=FILE: at exit, writes a line with the counts below as `name=value`
/// - EMULATED_GPU_TRACE=FILE: at exit, writes what ran when, see below
///
/// **Traces** are JSON in Chrome's trace event format, which chrome://tracing and
/// https://ui.perfetto.dev show as a timeline. All events are complete ones ("ph": "X"), in
/// microseconds since the library was loaded. Group 1, "GPU", has a row for each stream, with the
/// name of the file whose code created it, and in it every kernel, copy, fill and host function
/// that ran; work that the decoder and the encoder do, as pictures numbered from 0, is in rows of
/// theirs. Group 2, "host", has a row for each thread, and in it every call that waits for work,
/// also if none was pending; the argument `caller` names the file whose code called, as for
/// emulated_gpu_only_from(). In deferred mode work runs while it is waited for. If no trace is
/// recorded, no time is taken and no caller looked for.
#pragma once

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

/// Numbers of objects that exist, and totals since the start.
struct EmulatedGpuCounts {
  std::uint64_t contexts;
  std::uint64_t device_blocks;  ///< allocations of device memory
  std::uint64_t device_bytes;
  std::uint64_t pinned_blocks;  ///< allocations of pinned host memory
  std::uint64_t streams;        ///< without stream 0 of each context
  std::uint64_t events;
  std::uint64_t modules;
  std::uint64_t pending;             ///< pieces of work that have not run
  std::uint64_t abandoned;           ///< objects not released when their context, not lost, ended
  std::uint64_t mistakes;            ///< see emulated_gpu_abort_on_mistake()
  std::uint64_t uploads, downloads;  ///< bytes copied from the host, to the host
  std::uint64_t launches;            ///< kernels run
};
void emulated_gpu_counts(EmulatedGpuCounts* counts);

/// Contexts on the calling thread's stack.
std::size_t emulated_gpu_stack_depth();

/// Chooses the mode. Returns false, and changes nothing, while a context exists.
bool emulated_gpu_set_deferred(bool deferred);

/// Checks every red zone. Reports a mistake and returns false if one is damaged.
bool emulated_gpu_check();

/// Whether `bytes` at `address` lie in one allocation; if not, reports a mistake. For kernels,
/// whose pointers are not checked at launch.
bool emulated_gpu_check_range(const void* address, std::size_t bytes);

/// Reads device or pinned memory as it is now, without waiting for work. Reports a mistake and
/// returns false if the range lies in no allocation.
bool emulated_gpu_peek(void* to, const void* device, std::size_t bytes);

/// Whether a mistake ends the process (true, the default), or is counted, its line is kept, and the
/// call returns an error code (false).
void emulated_gpu_abort_on_mistake(bool abort);
/// The line of the last mistake, "" if there was none. Valid until this thread calls it again.
const char* emulated_gpu_last_mistake();

enum EmulatedGpuFault {
  EMULATED_GPU_ONCE,  ///< the call returns the error
  EMULATED_GPU_LATE,  ///< the call succeeds, the work that it submits fails: the context is lost
  EMULATED_GPU_LOST,  ///< the call returns the error, and so do all later calls in every context
                      ///< that exists
};
/// Plans a fault: the n-th call from now (1: the next one) of a function in `names` fails.
/// @param names  separated by commas, without _v2; null: any function. "alloc" stands for all
///               functions that allocate memory.
/// @param error  a CUresult, or what the functions of another of the driver's libraries return
void emulated_gpu_fault(const char* names, std::uint64_t n, int error, EmulatedGpuFault when);
/// Forgets all faults, planned and past.
void emulated_gpu_clear_faults();
/// The function, without _v2, that failed last by a fault, "" if none did. Valid until this thread
/// calls it again.
const char* emulated_gpu_struck();
/// Calls of functions in `names` (as above) since the start or emulated_gpu_reset_calls().
std::uint64_t emulated_gpu_calls(const char* names);
void emulated_gpu_reset_calls();
/// From now on only calls from a shared object whose file name begins with `object` are counted and
/// can fail. The caller is the nearest one up the stack that is not a library of GStreamer, GLib or
/// the C and C++ runtime. Null: all calls.
void emulated_gpu_only_from(const char* object);
/// For emulations of the driver's other libraries: counts a call of their function `name`, and
/// returns the error planned for it, 0 if there is none.
int emulated_gpu_book_call(const char* name);

/// For the emulations of the driver's other libraries (libnvcuvid.so.1), whose functions are
/// counted and can fail as the driver's own: to be called at the beginning of each, by its name.
/// @return the CUresult that the function is to return at once; 0: it is to do its work. "Late" is
///         the same as "once" for these functions.
int emulated_gpu_enter(const char* name);

/// For those emulations: something begins that a trace shows. What the work of a stream reports is
/// shown in place of that work.
/// @param row   a row of the GPU, such as "decoder"; `name` then gets a number. Null: the calling
///              thread, which waits
/// @return the argument of emulated_gpu_trace_end(); 0 without a trace, which may be passed too
std::uint64_t emulated_gpu_trace_begin(const char* row, const char* name);
void emulated_gpu_trace_end(std::uint64_t event);
/// While a trace is recorded: has a function called at the beginning of each of its events, on the
/// thread that works or waits, which is held until the function returns. Null: no function.
void emulated_gpu_watch(void (*begins)(const char* row, const char* name));

/// A launch. `params` points at copies of the arguments made at launch, as in cuLaunchKernel.
struct EmulatedGpuLaunch {
  void* const* params;
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  void* user;  ///< as registered
};
using EmulatedGpuKernel = void (*)(const EmulatedGpuLaunch*);

/// Adds a kernel to every module. Registering a name again replaces it.
/// @param param_bytes  [params]: size of each argument; a launch copies its arguments
void emulated_gpu_register_kernel(const char* name, const std::size_t* param_bytes,
                                  std::size_t params, EmulatedGpuKernel run, void* user);
/// Removes the registered kernels, except those of the product: these are registered from the
/// start, under their names in its image (mt_<name>), and run their host build. Their groups run
/// one after another, the last first, with garbage in shared memory; a launch that a GPU would
/// refuse or run wrongly is a mistake.
void emulated_gpu_forget_kernels();

}  // extern "C"
#pragma GCC visibility pop
