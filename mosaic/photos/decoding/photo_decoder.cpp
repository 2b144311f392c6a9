// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/photo_decoder.h"

#include <dlfcn.h>
#include <glib.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoding/decoder_messages.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/decoding/photo_decode.h"

namespace mosaic {
namespace {

constexpr char kProgram[] = "mosaictemporal-decoder";
constexpr int kPollMs = 20;  // interval at which cancellation is checked

[[noreturn]] void fail(const std::string& path, const std::string& why,
                       Error::Kind kind = Error::Kind::kRead) {
  throw Error(kind, "cannot read photo '" + path + "': " + why);
}

/// Why a process ended, as a reason for which a photo was not decoded.
std::string reason_of(int status, const decoder::Costs& costs) {
  std::ostringstream why;
  if (!WIFSIGNALED(status))
    why << "the photo decoder ended (" << WEXITSTATUS(status) << ")";
  else if (WTERMSIG(status) == SIGPROF)
    why << "decoding it takes more than " << costs.seconds << " seconds";
  else if (WTERMSIG(status) == SIGABRT || WTERMSIG(status) == SIGTRAP)  // how GLib ends a program
    why << "the image loader gave up: the file is damaged, or decoding it takes more than "
        << (costs.memory >> 20) << " MiB";
  else
    why << "the image loader was ended by a signal: " << strsignal(WTERMSIG(status));
  return why.str();
}

PhotoFacts facts_of(const decoder::Facts& facts) {
  const auto* end = std::find(std::begin(facts.profile), std::end(facts.profile), '\0');
  return {facts.is_animated != 0,
          {facts.full_width, facts.full_height},
          std::string(std::begin(facts.profile), end)};
}

decoder::Request request_for(const TilePictures& pictures) {
  decoder::Request request{};
  for (size_t i = 0; i < pictures.picture.size(); ++i) {
    request.width[i] = pictures.picture[i].size.width;
    request.height[i] = pictures.picture[i].size.height;
  }
  request.cut_width = pictures.cut.shape.width;
  request.cut_height = pictures.cut.shape.height;
  request.crop = static_cast<int32_t>(pictures.cut.crop);
  return request;
}

}  // namespace

/// One process. It is started when a photo is to be decoded, and again after it ended.
class PhotoDecoder::Process {
 public:
  /// For the photos of tiles.
  Process() : costs_(decoder::kTileCosts) {}
  /// For the photo that a mosaic is made of.
  explicit Process(std::string program)
      : costs_(decoder::kPictureCosts), program_(std::move(program)) {}
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Photo decode(const std::string& path, const std::atomic<bool>& cancelled) {
    return take_photo(path, ask(path, {}, cancelled).first);
  }

  PhotoSize prepare(const std::string& path, const TilePictures& pictures,
                    const std::atomic<bool>& cancelled) {
    const decoder::Reply reply = ask(path, request_for(pictures), cancelled).first;
    check(path, reply, kMaxPhotoPixels);
    size_t at = 0;
    for (const TilePictures::Picture& picture : pictures.picture) {
      take(path, picture.out, picture.bytes(), at);
      at += picture.bytes();
    }
    return {reply.width, reply.height};
  }

  /// To be called once: the process ends, so that the pixels stay as they are.
  DecodedPicture decode_picture(const std::string& path, const std::atomic<bool>& cancelled) {
    const auto [reply, facts] = ask(path, {}, cancelled);
    end();
    check(path, reply, kPictureLimits.pixels);
    DecodedPicture picture{std::move(pixels_), reply.width, reply.height, facts_of(facts)};
    struct stat info {};
    if (fstat(picture.pixels.get(), &info) != 0 ||
        info.st_size != off_t{3} * reply.width * reply.height)
      fail(path, "the photo decoder gave a wrong answer");
    return picture;
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
    const bool is_picture = !program_.empty();
    const std::string program = is_picture ? program_ : photo_decoder_program();
    const char* arguments[] = {program.c_str(), is_picture ? decoder::kPicture : nullptr, nullptr};
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

  std::pair<decoder::Reply, decoder::Facts> ask(const std::string& path,
                                                const decoder::Request& request,
                                                const std::atomic<bool>& cancelled) {
    send_request(path, request);
    wait_for_reply(path, cancelled);
    const auto received = decoder::receive_reply(socket_.get());
    if (!received) fail(path, reason_of(end(), costs_));
    const auto& [reply, rest] = *received;
    decoder::Facts facts{};
    if (reply.width == decoder::kNoLoader) fail(path, rest, Error::Kind::kFormat);
    if (reply.width == 0 && !rest.empty()) fail(path, rest);
    std::memcpy(&facts, rest.data(), std::min(rest.size(), sizeof facts));
    return {reply, facts};
  }

  void send_request(const std::string& path, const decoder::Request& request) {
    std::optional<RegularFile> file;
    try {
      file.emplace(path);
    } catch (const Error& error) {
      fail(path, error.what());
    }
    if (pid_ < 0) start(path);
    if (decoder::send_request(socket_.get(), request, file->fd())) return;
    // A process that ended while it was idle is replaced.
    end();
    start(path);
    if (!decoder::send_request(socket_.get(), request, file->fd()))
      fail(path, reason_of(end(), costs_));
  }

  /// Returns when there is a reply, or the process has ended.
  void wait_for_reply(const std::string& path, const std::atomic<bool>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    const std::chrono::seconds longest(costs_.wait_seconds);
    pollfd ready{socket_.get(), POLLIN, 0};
    while (poll(&ready, 1, kPollMs) <= 0) {
      if (cancelled) {
        end();
        throw Error(Error::Kind::kCancelled, "loading the photos was cancelled");
      }
      if (std::chrono::steady_clock::now() - start < longest) continue;
      end();
      fail(path, "it could not be read within " + std::to_string(costs_.wait_seconds) + " seconds");
    }
  }

  static void check(const std::string& path, const decoder::Reply& reply, int64_t most) {
    if (reply.width < 1 || reply.height < 1 || int64_t{reply.width} * reply.height > most)
      fail(path, "the photo decoder gave a wrong answer");
  }

  /// Copies the pixels, so that the process can do what it wants with the memory it shares.
  Photo take_photo(const std::string& path, const decoder::Reply& reply) const {
    check(path, reply, kMaxPhotoPixels);
    Photo photo{reply.width, reply.height, {}};
    photo.rgb.resize(size_t{3} * reply.width * reply.height);
    take(path, photo.rgb.data(), photo.rgb.size(), 0);
    if (ftruncate(pixels_.get(), 0) != 0) fail(path, std::strerror(errno));  // frees the memory
    return photo;
  }

  /// Copies bytes of the shared memory.
  void take(const std::string& path, uint8_t* to, size_t size, size_t position) const {
    if (read_at(pixels_.get(), to, size, position) != size)
      fail(path, "the photo decoder gave a wrong answer");
  }

  const decoder::Costs& costs_;
  const std::string program_;  ///< empty: found when it is started
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

/// Lends a process to work(process), and takes it back.
template <class Work>
auto PhotoDecoder::with_process(const Work& work) {
  struct Loan {
    PhotoDecoder& decoder;
    std::unique_ptr<Process> process;
    ~Loan() {
      const std::lock_guard lock(decoder.mutex_);
      decoder.idle_.push_back(std::move(process));
    }
  };
  const Loan loan{*this, take()};
  return work(*loan.process);
}

Photo PhotoDecoder::decode(const std::string& path) {
  return with_process([&](Process& process) { return process.decode(path, cancelled_); });
}

PhotoSize PhotoDecoder::prepare(const std::string& path, const TilePictures& pictures) {
  return with_process(
      [&](Process& process) { return process.prepare(path, pictures, cancelled_); });
}

DecodedPicture PhotoDecoder::decode_picture(const std::string& path, const std::string& program) {
  const std::atomic<bool> never = false;
  return Process(program).decode_picture(path, never);
}

std::string photo_decoder_program(std::string plugin) {
  // secure_getenv: not in a program with more rights than its user.
  if (const char* named = secure_getenv("MOSAICTEMPORAL_DECODER"); named && *named) return named;
  Dl_info library{};
  if (plugin.empty() && dladdr(reinterpret_cast<const void*>(&photo_decoder_program), &library) &&
      library.dli_fname)
    plugin = library.dli_fname;
  if (!plugin.empty()) {
    const auto beside = std::filesystem::path(plugin).replace_filename(kProgram);
    std::error_code error;
    if (std::filesystem::is_regular_file(beside, error)) return beside.native();
  }
  return (std::filesystem::path(MOSAIC_LIBEXECDIR) / kProgram).native();
}

}  // namespace mosaic
