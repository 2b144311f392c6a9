// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

namespace mosaic {
namespace {

/// What a confined process finds out about itself, as its exit status.
enum Finding { kAllowed = 10, kRefused, kNotConfined };

/// The exit status of a process that confines itself and calls work(), or the signal that ended it
/// plus 128.
int in_confinement(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    load_loaders();
    _exit(confine_process() ? work() : kNotConfined);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// An emulator may have no seccomp.
class ConfinedProcess : public testing::Test {
 protected:
  void SetUp() override {
    if (in_confinement([] { return static_cast<int>(kAllowed); }) == kNotConfined)
      GTEST_SKIP() << "this kernel does not let a process give up its rights";
  }
};

/// Whether a call, which returns -1 where it fails, is refused.
int is_refused(long result) {
  return result == -1 && (errno == EPERM || errno == EACCES) ? kRefused : kAllowed;
}

TEST_F(ConfinedProcess, OpensNoFile) {
  EXPECT_EQ(in_confinement([] { return is_refused(open("/proc/self/exe", O_RDONLY)); }), kRefused);
  EXPECT_EQ(in_confinement([] { return is_refused(openat(AT_FDCWD, "/tmp", O_RDONLY)); }),
            kRefused);
  EXPECT_EQ(in_confinement([] { return is_refused(syscall(SYS_openat2, AT_FDCWD, "/", 0, 0)); }),
            kRefused);
  EXPECT_EQ(in_confinement([] { return is_refused(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }),
            kRefused);
  EXPECT_EQ(in_confinement([] { return is_refused(unlink("/nowhere")); }), kRefused);
  EXPECT_EQ(in_confinement([] { return is_refused(mkdir("/nowhere/new", 0700)); }), kRefused);
}

TEST_F(ConfinedProcess, ReachesNoNetwork) {
  for (const int domain : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
    EXPECT_EQ(in_confinement([domain] { return is_refused(socket(domain, SOCK_DGRAM, 0)); }),
              kRefused)
        << domain;
  // Not with a socket either that was open before.
  const int open_before = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(in_confinement([&] {
              return is_refused(connect(open_before, reinterpret_cast<const sockaddr*>(&address),
                                        sizeof address));
            }),
            kRefused);
  close(open_before);
}

TEST_F(ConfinedProcess, StartsNoProcess) {
  EXPECT_EQ(in_confinement([] {
              const pid_t child = fork();
              if (child == 0) _exit(0);
              return is_refused(child);
            }),
            kRefused);
  EXPECT_EQ(in_confinement([] {
              char* const arguments[] = {nullptr};
              return is_refused(execve("/bin/true", arguments, arguments));
            }),
            kRefused);
}

TEST_F(ConfinedProcess, LearnsNothingOfFiles) {
  struct stat info {};
  EXPECT_EQ(in_confinement([&info] { return is_refused(stat("/etc/passwd", &info)); }), kRefused);
  EXPECT_EQ(in_confinement([&info] {
              return is_refused(fstatat(AT_FDCWD, "/etc/passwd", &info, AT_EMPTY_PATH));
            }),
            kRefused);
}

TEST_F(ConfinedProcess, TouchesNoOtherProcess) {
  const pid_t parent = getpid();
  const int open_before = memfd_create("file", MFD_CLOEXEC);
  // The kernel would send signals to it.
  EXPECT_EQ(in_confinement([&] { return is_refused(fcntl(open_before, F_SETOWN, parent)); }),
            kRefused);
  EXPECT_EQ(in_confinement([&] { return is_refused(fcntl(open_before, F_SETSIG, SIGKILL)); }),
            kRefused);
  close(open_before);
  EXPECT_EQ(in_confinement([parent] { return is_refused(kill(parent, 0)); }), kRefused);
  EXPECT_EQ(in_confinement([parent] { return is_refused(syscall(SYS_tgkill, parent, parent, 0)); }),
            kRefused);
  EXPECT_EQ(in_confinement([parent] {
              return is_refused(syscall(SYS_process_vm_readv, parent, nullptr, 0, nullptr, 0, 0));
            }),
            kRefused);
}

TEST_F(ConfinedProcess, ComputesAndUsesWhatIsOpen) {
  const int file = memfd_create("file", MFD_CLOEXEC);
  EXPECT_EQ(in_confinement([file] {
              int sum = 0;
              std::thread([&sum] { sum = 42; }).join();
              void* memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              const bool good = sum == 42 && memory != MAP_FAILED && ftruncate(file, 100) == 0 &&
                                lseek(file, 0, SEEK_END) == 100 && pwrite(file, "x", 1, 99) == 1;
              return good ? kAllowed : kRefused;
            }),
            kAllowed);
  close(file);
}

TEST_F(ConfinedProcess, CanAbort) {
  EXPECT_EQ(in_confinement([] {
              std::signal(SIGABRT, SIG_DFL);
              std::abort();
              return 0;
            }),
            128 + SIGABRT);
}

}  // namespace
}  // namespace mosaic
