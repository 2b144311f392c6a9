// SPDX-License-Identifier: LGPL-2.1-or-later
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/photo_decoder.h"
#include "mosaic/photos/files/image_names.h"
#include "mosaic/photos/photo.h"
#include "mosaic/photos/tile_pictures.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string path;
  std::string state;  // of the file: its size and times, or why they are not known
};

std::string state_of(const struct stat& info) {
  const auto ns = [](const timespec& t) {
    return std::to_string(t.tv_sec * int64_t{1000000000} + t.tv_nsec);
  };
  // The time of the last change of the inode, too: it changes when a file is made readable, or is
  // rewritten and then gets its old time of modification back.
  return std::to_string(info.st_size) + ' ' + ns(info.st_mtim) + ' ' + ns(info.st_ctim);
}

/// The absolute path, so that names and fingerprints mean the same file in every working directory,
/// without a slash at its end; empty: there is none.
std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string absolute =
      path.empty() ? path : fs::absolute(path, error).lexically_normal().native();
  if (error) return {};
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return absolute;
}

std::string links_text(int count) {
  return (count == 1
              ? "a symbolic link to a folder, which is not followed"
              : std::to_string(count) + " symbolic links to folders, which are not followed") +
         std::string(", because links may lead anywhere");
}

}  // namespace

Shape PhotoSource::shape(int index) const {
  const Photo photo = decode(index);
  return {photo.width, photo.height};
}

void PhotoSource::prepare(int index, const TilePictures& pictures) const {
  const Photo photo = decode(index);
  if (photo.width < 1 || photo.height < 1 ||
      photo.rgb.size() != size_t{3} * photo.width * photo.height)
    throw Error(Error::Kind::kRead, "photo '" + name(index) + "' is empty");
  cut_out(photo, pictures);
}

/// What was found in files and folders.
class PhotoFiles::Scan {
 public:
  explicit Scan(const std::atomic<bool>& cancelled) : cancelled_(cancelled) {}

  void folder(const std::string& root) {
    waiting_.push_back(root);
    empty_waiting();
  }

  void file(const std::string& path, const struct stat& info) {
    entries_.push_back({path, state_of(info)});
  }

  /// A file or folder that was found in a folder.
  void found(const std::string& path) {
    one_entry(path);
    empty_waiting();
  }

  void add(Scan& other) {
    std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
    for (const auto& [format, files] : other.unsupported_) unsupported_[format] += files;
    links_ += other.links_;
  }

  size_t count() const { return entries_.size(); }

  std::vector<Entry> take() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.path < b.path; });
    const auto same = [](const Entry& a, const Entry& b) { return a.path == b.path; };
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
    return std::move(entries_);
  }

  /// See PhotoSource::links().
  int links() const { return links_; }

  /// See PhotoSource::unsupported().
  std::string unsupported() const {
    std::string text;
    for (auto at = unsupported_.begin(); at != unsupported_.end(); ++at) {
      if (at != unsupported_.begin()) text += std::next(at) == unsupported_.end() ? " and " : ", ";
      text += std::to_string(at->second) + ' ' + at->first + (at->second == 1 ? " file" : " files");
    }
    return text;
  }

 private:
  void empty_waiting() {
    while (!waiting_.empty()) {
      const std::string path = std::move(waiting_.back());
      waiting_.pop_back();
      one_folder(path);
    }
  }

  void one_folder(const std::string& path) {
    std::error_code error;
    fs::directory_iterator at(path, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      if (cancelled_) throw Error(Error::Kind::kCancelled, "loading the photos was cancelled");
      one_entry(at->path().native());
    }
    // An unreadable folder counts as a photo that fails to decode, so that there is a warning.
    if (error) entries_.push_back({path, "unreadable"});
  }

  void one_entry(const std::string& path) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name.starts_with('.')) return;
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
      if (is_image_name(name)) entries_.push_back({path, "missing"});
    } else if (S_ISDIR(info.st_mode)) {
      if (is_left_out_folder(name)) return;
      if (is_link(path))
        ++links_;
      else
        waiting_.push_back(path);
    } else if (is_image_name(name)) {
      file(path, info);
    } else if (const std::string format = unsupported_format(name); !format.empty()) {
      ++unsupported_[format];
    }
  }

  static bool is_link(const std::string& path) {
    std::error_code error;
    return fs::is_symlink(path, error);
  }

  const std::atomic<bool>& cancelled_;
  std::vector<std::string> waiting_;
  std::vector<Entry> entries_;
  std::map<std::string, int> unsupported_;  // number of files by format
  int links_ = 0;                           // to folders
};

namespace {

class PhotoFolder : public PhotoSource {
 public:
  PhotoFolder(std::vector<Entry> entries, std::string unsupported, int links,
              const std::atomic<bool>& cancelled)
      : entries_(std::move(entries)),
        unsupported_(std::move(unsupported)),
        links_(links),
        decoder_(cancelled) {}
  int count() const override { return static_cast<int>(entries_.size()); }
  std::string name(int index) const override { return entries_[index].path; }
  std::string fingerprint(int index) const override {
    return entries_[index].path + '\n' + entries_[index].state;
  }
  std::string loaders() const override { return loader_names(); }
  bool is_file(int) const override { return true; }
  Photo decode(int index) const override { return decoder_.decode(entries_[index].path); }
  void prepare(int index, const TilePictures& pictures) const override {
    decoder_.prepare(entries_[index].path, pictures);
  }
  Shape shape(int index) const override {
    uint8_t rgb[3];  // the smallest picture, so that the photo is decoded as small as it can be
    TilePictures pictures;
    pictures.picture[0] = {1, rgb};
    const PhotoSize size = decoder_.prepare(entries_[index].path, pictures);
    return {size.width, size.height};
  }
  std::string unsupported() const override { return unsupported_; }
  int links() const override { return links_; }

 private:
  std::vector<Entry> entries_;
  std::string unsupported_;
  int links_;
  mutable PhotoDecoder decoder_;
};

}  // namespace

PhotoFiles::PhotoFiles(const std::atomic<bool>& cancelled)
    : cancelled_(cancelled), all_(std::make_unique<Scan>(cancelled)) {}

PhotoFiles::~PhotoFiles() = default;

void PhotoFiles::add(const std::string& path) {
  const auto not_found = [&path](const std::string& why) {
    return Error(Error::Kind::kNotFound, "no photos in '" + path + "': " + why,
                 "use a folder with JPEG, PNG, WebP, TIFF, BMP or GIF files, or one such file");
  };
  const std::string root = absolute_path(path);
  if (root.empty()) throw not_found("no such path");
  struct stat info {};
  if (stat(root.c_str(), &info) != 0) throw not_found(std::strerror(errno));
  Scan scan(cancelled_);
  if (S_ISDIR(info.st_mode)) {
    std::error_code error;
    fs::directory_iterator probe(root, error);
    if (error)
      throw Error(Error::Kind::kRead, "cannot read folder '" + path + "': " + error.message());
    scan.folder(root);
  } else if (S_ISREG(info.st_mode) && is_image_name(root)) {
    scan.file(root, info);
  }
  if (scan.count() > 0) return all_->add(scan);
  const std::string unsupported = scan.unsupported();
  std::string why = "there is no image file";
  if (!unsupported.empty()) why += " in a supported format, only " + unsupported;
  if (scan.links() > 0)
    why += (unsupported.empty() ? ", only " : " and ") + links_text(scan.links());
  throw not_found(why);
}

void PhotoFiles::add_found(const std::string& path) {
  if (const std::string root = absolute_path(path); !root.empty()) all_->found(root);
}

size_t PhotoFiles::count() const {
  return all_->count();
}

std::unique_ptr<PhotoSource> PhotoFiles::open() {
  return std::make_unique<PhotoFolder>(all_->take(), all_->unsupported(), all_->links(),
                                       cancelled_);
}

std::unique_ptr<PhotoSource> open_photo_folder(const std::string& path,
                                               const std::atomic<bool>& cancelled) {
  PhotoFiles files(cancelled);
  files.add(path);
  return files.open();
}

}  // namespace mosaic
