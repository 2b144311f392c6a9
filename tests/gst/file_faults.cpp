// SPDX-License-Identifier: LGPL-2.1-or-later
// Without this, the headers give `open` the name of `open64`; this file defines both.
#undef _FILE_OFFSET_BITS

#include "tests/gst/file_faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

/// The prefix of the paths; null: no call fails. Written while no other thread uses files.
std::atomic<const char*> folder{nullptr};
std::atomic<int> calls_left{0};
int error_number = 0;

bool is_below(const char* path) {
  const char* prefix = folder.load();
  return prefix && path && std::strncmp(path, prefix, std::strlen(prefix)) == 0;
}

bool fails(const char* path) {
  if (!is_below(path) || calls_left-- != 0) return false;
  errno = error_number;
  return true;
}

bool fails(int fd) {
  if (!folder.load()) return false;
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  char path[4096];
  const ssize_t size = readlink(link.c_str(), path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return fails(path);
}

/// The function that the program would call without this file.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t mode_of(int flags, va_list& arguments) {
  return flags & O_CREAT ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

namespace element_test {

FileFault::FileFault(const std::string& below, int call, int error) {
  calls_left = call;
  error_number = error;
  folder = strdup(below.c_str());
}

FileFault::~FileFault() {
  std::free(const_cast<char*>(folder.exchange(nullptr)));
}

bool FileFault::happened() const {
  return calls_left < 0;
}

}  // namespace element_test

// The C library has each of these twice, the second one for files of more than 2 GiB on 32 bits.
// NOLINTBEGIN
#define OPEN_FUNCTION(name)                                           \
  extern "C" int name(const char* path, int flags, ...) {             \
    static const auto real = next<int(const char*, int, ...)>(#name); \
    va_list arguments;                                                \
    va_start(arguments, flags);                                       \
    const mode_t mode = mode_of(flags, arguments);                    \
    va_end(arguments);                                                \
    return fails(path) ? -1 : real(path, flags, mode);                \
  }
#define TEMPORARY_FUNCTION(name)                           \
  extern "C" int name(char* path, int flags) {             \
    static const auto real = next<int(char*, int)>(#name); \
    return fails(path) ? -1 : real(path, flags);           \
  }
#define WRITE_AT_FUNCTION(name)                                                     \
  extern "C" ssize_t name(int fd, const void* data, size_t size, off_t at) {        \
    static const auto real = next<ssize_t(int, const void*, size_t, off_t)>(#name); \
    return fails(fd) ? -1 : real(fd, data, size, at);                               \
  }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)
TEMPORARY_FUNCTION(mkostemp)
TEMPORARY_FUNCTION(mkostemp64)
WRITE_AT_FUNCTION(pwrite)
WRITE_AT_FUNCTION(pwrite64)
// NOLINTEND

extern "C" ssize_t write(int fd, const void* data, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  return fails(fd) ? -1 : real(fd, data, size);
}

extern "C" int fsync(int fd) {
  static const auto real = next<int(int)>("fsync");
  return fails(fd) ? -1 : real(fd);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int(const char*, const char*)>("rename");
  return fails(from) ? -1 : real(from, to);
}
