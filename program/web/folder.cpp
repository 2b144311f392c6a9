// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/base/error.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int why) {
  throw Failure(path.string() + " cannot be written: " + std::strerror(why));
}

/// A new file that is open for writing.
class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : path_(path), fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(path, errno);
  }
  ~NewFile() {
    if (fd_ >= 0) close(fd_);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const std::vector<uint8_t>& bytes) {
    if (!mosaic::write_all(fd_, bytes.data(), bytes.size())) fail(path_, errno);
  }
  void finish() {
    const int fd = fd_;
    fd_ = -1;
    if (close(fd) != 0) fail(path_, errno);
  }

 private:
  fs::path path_;
  int fd_;
};

void write_file(const fs::path& path, const std::vector<uint8_t>& bytes) {
  NewFile file(path);
  file.write(bytes);
  file.finish();
}

void check(const std::atomic<bool>& cancelled) {
  if (cancelled) throw mosaic::Error(mosaic::Error::Kind::kCancelled, "interrupted");
}

void copy_film(const mosaic::RegularFile& film, const fs::path& path,
               const std::atomic<bool>& cancelled) {
  NewFile file(path);
  std::vector<uint8_t> piece(size_t{1} << 20);
  for (size_t at = 0; at < film.size(); at += piece.size()) {
    check(cancelled);
    piece.resize(std::min(piece.size(), film.size() - at));
    if (mosaic::read_at(film.fd(), piece.data(), piece.size(), at) != piece.size())
      throw Failure("the film became shorter while it was copied");
    file.write(piece);
  }
  file.finish();
}

/// A folder that is removed with all that it holds, unless it got its name.
class NewFolder {
 public:
  explicit NewFolder(const std::string& name) : name_(name), path_(name + ".partial") {
    std::error_code error;
    if (fs::exists(fs::symlink_status(name_, error)))
      throw Failure(name + " exists; name a new folder");
    if (!fs::create_directory(path_, error)) {
      if (!error)
        throw Failure(path_.string() + " exists: it is left of an earlier run; remove it");
      fail(path_, error.value());
    }
  }
  ~NewFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return path_; }
  void finish() {
    std::error_code error;
    fs::rename(path_, name_, error);
    if (error) fail(name_, error.value());
    path_.clear();
  }

 private:
  fs::path name_, path_;
};

}  // namespace

void write_folder(const WebFiles& files, const std::string& folder,
                  const std::function<void(int, int)>& progress,
                  const std::atomic<bool>& cancelled) {
  NewFolder made(folder);
  const std::vector<std::string> names = files.names();
  for (const std::string& name : names) fs::create_directories((made.path() / name).parent_path());
  copy_film(files.film(), made.path() / "film.mosaic", cancelled);
  const int count = static_cast<int>(names.size());
  std::atomic<int> done = 0;
  mt::WorkerPool workers(0);
  workers.run(count, 1, [&](int worker, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      check(cancelled);
      write_file(made.path() / names[i], files.get(names[i])->bytes);
      ++done;
      if (worker == 0) progress(done, count);
    }
  });
  made.finish();
}

}  // namespace mosaic_program
