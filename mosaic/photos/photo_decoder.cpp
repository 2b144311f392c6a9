// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/photo_decoder.h"

#include <dlfcn.h>
#include <glib.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoder_protocol.h"
#include "mosaic/photos/photo_decode.h"

namespace mosaic {
namespace {

constexpr char kProgram[] = "mosaictemporal-decoder";
constexpr int kPollMs = 20;  // interval at which cancellation is checked
/// A photo that takes little processor time may still wait for a disk, but not for ever.
constexpr auto kMaxWait = std::chrono::seconds(30);

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(Error::Kind::kRead, "cannot read photo '" + path + "': " + why);
}

/// A file descriptor; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Why a process ended, as a reason for which a photo was not decoded.
std::string reason_of(int status) {
  std::ostringstream why;
  if (!WIFSIGNALED(status))
    why << "the photo decoder ended (" << WEXITSTATUS(status) << ")";
  else if (WTERMSIG(status) == SIGPROF)
    why << "decoding it takes more than " << decoder::kMaxSeconds << " seconds";
  else if (WTERMSIG(status) == SIGABRT || WTERMSIG(status) == SIGTRAP)  // how GLib ends a program
    why << "the image loader gave up: the file is damaged, or decoding it takes more than "
        << (decoder::kMaxMemory >> 20) << " MiB";
  else
    why << "the image loader was ended by a signal: " << strsignal(WTERMSIG(status));
  return why.str();
}

}  // namespace

/// One process. It is started when a photo is to be decoded, and again after it ended.
class PhotoDecoder::Process {
 public:
  Process() = default;
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Photo decode(const std::string& path, const std::atomic<bool>& cancelled) {
    if (path.size() > decoder::kMaxPath) fail(path, std::strerror(ENAMETOOLONG));
    if (pid_ < 0) start(path);
    // A process that ended while it was idle is replaced.
    if (!send_request(path)) {
      end();
      start(path);
      if (!send_request(path)) fail(path, reason_of(end()));
    }
    wait_for_reply(path, cancelled);
    char message[sizeof(decoder::Reply) + decoder::kMaxReason];
    const ssize_t size = recv(socket_.get(), message, sizeof message, 0);
    decoder::Reply reply;
    if (size < static_cast<ssize_t>(sizeof reply)) fail(path, reason_of(end()));
    std::memcpy(&reply, message, sizeof reply);
    const std::string reason(message + sizeof reply, size - sizeof reply);
    if (!reason.empty()) fail(path, reason);
    return take_photo(path, reply);
  }

 private:
  void start(const std::string& path) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      fail(path, std::strerror(errno));
    socket_ = Descriptor(ends[0]);
    const Descriptor other(ends[1]);
    pixels_ = Descriptor(memfd_create("photo", MFD_CLOEXEC));
    if (pixels_.get() < 0) fail(path, std::strerror(errno));
    const std::string program = photo_decoder_program();
    const char* arguments[] = {program.c_str(), nullptr};
    const int from[] = {other.get(), pixels_.get()};
    const int to[] = {decoder::kSocket, decoder::kPixels};
    const auto flags = static_cast<GSpawnFlags>(
        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL);
    GError* error = nullptr;
    if (g_spawn_async_with_pipes_and_fds(nullptr, arguments, nullptr, flags, nullptr, nullptr, -1,
                                         -1, -1, from, to, std::size(from), &pid_, nullptr, nullptr,
                                         nullptr, &error))
      return;
    pid_ = -1;
    const std::string why = error->message;
    g_error_free(error);
    fail(path, "the photo decoder cannot be started: " + why +
                   " (install the plugin again, or set the environment variable "
                   "MOSAICTEMPORAL_DECODER to the path of mosaictemporal-decoder)");
  }

  /// Ends the process, and returns how it ended: by itself before, or by SIGKILL.
  int end() {
    int status = 0;
    if (pid_ < 0) return status;
    socket_ = Descriptor();
    kill(pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return status;
  }

  bool send_request(const std::string& path) const {
    return send(socket_.get(), path.data(), path.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(path.size());
  }

  /// Returns when there is a reply, or the process has ended.
  void wait_for_reply(const std::string& path, const std::atomic<bool>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    pollfd ready{socket_.get(), POLLIN, 0};
    while (poll(&ready, 1, kPollMs) <= 0) {
      if (cancelled) {
        end();
        throw Error(Error::Kind::kCancelled, "loading the photos was cancelled");
      }
      if (std::chrono::steady_clock::now() - start < kMaxWait) continue;
      end();
      fail(path, "it could not be read within " + std::to_string(kMaxWait.count()) + " seconds");
    }
  }

  /// Copies the pixels, so that the process can do what it wants with the memory it shares.
  Photo take_photo(const std::string& path, const decoder::Reply& reply) const {
    if (reply.width < 1 || reply.height < 1 ||
        int64_t{reply.width} * reply.height > kMaxPhotoPixels)
      fail(path, "the photo decoder gave a wrong answer");
    Photo photo{reply.width, reply.height, {}};
    photo.rgb.resize(size_t{3} * reply.width * reply.height);
    if (read_at(pixels_.get(), photo.rgb.data(), photo.rgb.size(), 0) != photo.rgb.size())
      fail(path, "the photo decoder gave a wrong answer");
    if (ftruncate(pixels_.get(), 0) != 0) fail(path, std::strerror(errno));  // frees the memory
    return photo;
  }

  GPid pid_ = -1;
  Descriptor socket_, pixels_;
};

PhotoDecoder::PhotoDecoder(const std::atomic<bool>& cancelled) : cancelled_(cancelled) {}
PhotoDecoder::~PhotoDecoder() = default;

std::unique_ptr<PhotoDecoder::Process> PhotoDecoder::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Process>();
  std::unique_ptr<Process> process = std::move(idle_.back());
  idle_.pop_back();
  return process;
}

Photo PhotoDecoder::decode(const std::string& path) {
  std::unique_ptr<Process> process = take();
  const auto give_back = [&] {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(process));
  };
  try {
    Photo photo = process->decode(path, cancelled_);
    give_back();
    return photo;
  } catch (...) {
    give_back();
    throw;
  }
}

std::string photo_decoder_program() {
  // secure_getenv: not in a program with more rights than its user.
  if (const char* named = secure_getenv("MOSAICTEMPORAL_DECODER"); named && *named) return named;
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&photo_decoder_program), &library) &&
      library.dli_fname) {
    const auto beside = std::filesystem::path(library.dli_fname).replace_filename(kProgram);
    std::error_code error;
    if (std::filesystem::is_regular_file(beside, error)) return beside.native();
  }
  return (std::filesystem::path(MOSAIC_LIBEXECDIR) / kProgram).native();
}

}  // namespace mosaic
