// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/confinement.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>

namespace mosaic {
namespace {

/// What decoders, the C library and GLib need to compute, to take memory, to start threads and to
/// use what is open.
constexpr int kAllowed[] = {
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(close),
    SCMP_SYS(eventfd2),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(fstat),
    SCMP_SYS(ftruncate),
    SCMP_SYS(futex),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(getcpu),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(lseek),
    SCMP_SYS(madvise),
    SCMP_SYS(memfd_create),
    SCMP_SYS(membarrier),
    SCMP_SYS(mmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(nanosleep),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(setitimer),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(uname),
    SCMP_SYS(write),
    SCMP_SYS(writev),
};

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

bool allow(const Filter& filter, int call) {
  // Some of these calls do not exist on all processors (EDOM).
  const int result = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
  return result == 0 || result == -EDOM;
}

bool allow_if(const Filter& filter, int call, const scmp_arg_cmp& condition) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 1, condition) == 0;
}

bool filter_calls() {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  // For all threads, in case that a library has started one.
  if (!filter || seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) != 0) return false;
  for (const int call : kAllowed)
    if (!allow(filter, call)) return false;
  // A thread, no process. The flags of clone3 are in memory, where no filter sees them; the C
  // library then uses clone.
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         allow_if(filter, SCMP_SYS(clone),
                  SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) &&
         // Without those that have the kernel send signals to any process.
         allow_if(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFL)) &&
         allow_if(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFD)) &&
         allow_if(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETFD)) &&
         // abort() signals this process.
         allow_if(filter, SCMP_SYS(tgkill),
                  SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid()))) &&
         allow_if(filter, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)) &&
         // Reading a limit of this process.
         allow_if(filter, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0)) &&
         seccomp_load(filter.get()) == 0;
}

/// Handles all rights of Landlock's first version, and grants none of them.
void deny_file_system() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  landlock_ruleset_attr rules{};
  constexpr uint64_t kFirstVersion = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  rules.handled_access_fs = kFirstVersion;
  const int ruleset =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  if (ruleset < 0) return;
  syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
}

/// Where libheif has its decoders in plugins (Debian 13, Ubuntu 24.04), it looks for them when it
/// is initialised, which gdk-pixbuf's loader leaves to the first photo.
void load_decoders_of_libheif() {
  struct Result {  // heif_error of libheif/heif.h
    int code, subcode;
    const char* message;
  };
  void* library = dlopen("libheif.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!library) return;
  if (void* initialise = dlsym(library, "heif_init"))
    reinterpret_cast<Result (*)(void*)>(initialise)(nullptr);
}

}  // namespace

void load_loaders() {
  // Those of photo_format().
  for (const char* type : {"image/jpeg", "image/png", "image/webp", "image/tiff", "image/bmp",
                           "image/gif", "image/heif", "image/avif"})
    // Never closed: some loaders would complain that they have been given nothing.
    gdk_pixbuf_loader_new_with_mime_type(type, nullptr);
  load_decoders_of_libheif();
  // The texts in PNG are converted, with a module of the C library, which stays while it is in use.
  [[maybe_unused]] static const GIConv latin = g_iconv_open("UTF-8", "ISO-8859-1");
}

bool confine_process() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  deny_file_system();
  return filter_calls();
}

}  // namespace mosaic
