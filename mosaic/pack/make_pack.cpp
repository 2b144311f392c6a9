// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/make_pack.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/pack/pack.h"
#include "mosaic/pack/pack_bytes.h"
#include "mosaic/pack/pack_writer.h"
#include "mosaic/pack/photo_levels.h"

namespace mosaic::pack {
namespace {

namespace fs = std::filesystem;

constexpr int kAtOnce = kMostInChunk;  // photos that are prepared before they are written

/// As PackOptions::folders describes. @param path absolute
std::string name_in(const std::vector<std::string>& folders, const std::string& path) {
  const std::string* innermost = nullptr;
  for (const std::string& folder : folders)
    if (path.starts_with(folder + "/") && (!innermost || folder.size() > innermost->size()))
      innermost = &folder;
  const fs::path file(path);
  if (!innermost) return file.filename().string();
  const std::string name = path.substr(innermost->size() + 1);
  return folders.size() == 1 ? name : (fs::path(*innermost).filename() / name).string();
}

using Key = std::pair<std::string, uint64_t>;  // name and PackedPhoto::source

/// Photos that were packed before.
class Ready {
 public:
  void add(std::unique_ptr<Pack> pack) {
    for (int i = 0; i < pack->count(); ++i)
      found_.emplace(Key{pack->name(i), pack->source(i)}, Place{pack.get(), i});
    packs_.push_back(std::move(pack));
  }
  /// Copies the levels of a photo. @return false: it is not there, or it is damaged
  bool take(PackedPhoto& photo) const {
    const auto at = found_.find({photo.name, photo.source});
    if (at == found_.end()) return false;
    const auto [pack, index] = at->second;
    try {
      for (int level = 0; level < pack->levels(index); ++level)
        photo.levels[level] = pack->level(index, level);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

 private:
  struct Place {
    const Pack* pack;
    int photo;
  };
  std::vector<std::unique_ptr<Pack>> packs_;
  std::map<Key, Place> found_;
};

/// A pack that may be read; null: there is none that can be.
std::unique_ptr<Pack> open_pack(const std::string& path, Pack::End end) {
  try {
    return std::make_unique<Pack>(path, end);
  } catch (const Error&) {
    return nullptr;
  }
}

/// Throws Error if a file would be replaced that is no pack.
void check_replaced(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  Bytes bytes(kMagic.size());
  try {
    const RegularFile file(path);
    bytes.resize(read_at(file.fd(), bytes.data(), bytes.size(), 0));
  } catch (const Error& why) {
    throw Error(Error::Kind::kWrite, "cannot write the pack '" + path + "': " + why.what());
  }
  if (!has(bytes, 0, kMagic))
    throw Error(Error::Kind::kWrite, "'" + path + "' exists, and is no pack");
}

class Packing {
 public:
  Packing(const PhotoSource& source, const std::string& path, const PackOptions& options,
          const std::atomic<bool>& cancelled)
      : source_(source), path_(path), options_(options), cancelled_(cancelled) {
    check_replaced(path);
    for (int i = 0; i < source.count(); ++i)
      keys_.emplace_back(name_in(options.folders, source.name(i)), source_of(i));
    if (auto older = open_pack(path, Pack::End::kRequired)) ready_.add(std::move(older));
    const std::string part = PackWriter::part_of(path);
    auto unfinished = open_pack(part, Pack::End::kMayBeMissing);
    size_t keep = 0;
    if (unfinished && is_beginning(*unfinished)) {
      keep = unfinished->end_of_chunks();
      result_.photos = result_.kept = written_ = unfinished->count();
    } else if (unfinished) {
      // It stays readable until this call ends.
      std::error_code ignored;
      fs::remove(part, ignored);
      ready_.add(std::move(unfinished));
    }
    writer_.emplace(path, options.cut.shape, keep);
  }

  PackResult run(mt::WorkerPool& workers, const std::function<void(const std::string&)>& warn,
                 const std::function<void(int, int)>& progress) {
    const int total = source_.count();
    for (int first = written_; first < total; first += kAtOnce) {
      const int count = std::min(kAtOnce, total - first);
      std::vector<Prepared> prepared(count);
      workers.run(count, 1, [&](int, int i, int) { prepare(first + i, prepared[i]); });
      // If it was stopped meanwhile, only up to the first photo that is not ready.
      for (Prepared& photo : prepared)
        if (!take(photo, warn)) break;
      if (cancelled_) {
        writer_->flush();
        throw Error(Error::Kind::kCancelled, "packing the photos was stopped");
      }
      progress(first + count, total);
    }
    if (result_.photos == 0) {
      std::error_code ignored;
      fs::remove(PackWriter::part_of(path_), ignored);
      throw Error(Error::Kind::kRead, "no pack was made: none of the " + std::to_string(total) +
                                          " photos could be read");
    }
    result_.hash = writer_->finish();
    return result_;
  }

 private:
  struct Prepared {
    enum class State { kLeft, kReady, kNew, kSkipped } state = State::kLeft;
    PackedPhoto photo;
    std::string reason;
  };

  /// Also tells levels of other sizes and shapes apart.
  uint64_t source_of(int photo) const {
    const auto& [largest, folders, cut] = options_;
    std::string text = source_.fingerprint(photo) + '\n' + std::to_string(largest);
    if (cut != PhotoCut{})
      text += '\n' + std::to_string(cut.shape.width) + ':' + std::to_string(cut.shape.height) +
              (cut.crop == Crop::kDetail ? " detail" : "");
    return hash_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }

  /// Whether the photos of an unfinished pack are the first ones of this one, and whole.
  bool is_beginning(const Pack& unfinished) const {
    if (unfinished.count() > static_cast<int>(keys_.size())) return false;
    for (int i = 0; i < unfinished.count(); ++i) {
      if (cancelled_ || keys_[i] != Key{unfinished.name(i), unfinished.source(i)}) return false;
      try {
        for (int level = 0; level < unfinished.levels(i); ++level) unfinished.level(i, level);
      } catch (const Error&) {
        return false;
      }
    }
    return true;
  }

  void prepare(int index, Prepared& out) const {
    if (cancelled_) return;
    const Key& key = keys_[index];
    using State = Prepared::State;
    out.photo = {key.first, key.second, {}};
    if (key.first.size() > kMostNameBytes) {
      out.state = State::kSkipped;
      out.reason = "the name of '" + key.first + "' is too long";
      return;
    }
    if (ready_.take(out.photo)) {
      out.state = State::kReady;
      return;
    }
    try {
      out.photo.levels = photo_levels(source_.decode(index), options_.cut, options_.largest);
      out.state = State::kNew;
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::kCancelled) return;
      out.state = State::kSkipped;
      out.reason = error.what();
    } catch (const std::bad_alloc&) {
      out.state = State::kSkipped;
      out.reason = "not enough memory for photo '" + key.first + "'";
    }
  }

  /// @return whether it was prepared
  bool take(Prepared& photo, const std::function<void(const std::string&)>& warn) {
    using State = Prepared::State;
    if (photo.state == State::kLeft) return false;
    if (photo.state == State::kSkipped) {
      ++result_.skipped;
      warn(photo.reason);
      return true;
    }
    result_.kept += photo.state == State::kReady;
    ++result_.photos;
    writer_->add(std::move(photo.photo));
    return true;
  }

  const PhotoSource& source_;
  const std::string path_;
  const PackOptions options_;
  const std::atomic<bool>& cancelled_;
  std::vector<Key> keys_;  ///< of the source's photos
  int written_ = 0;        ///< the first photos, in the file already
  Ready ready_;
  std::optional<PackWriter> writer_;
  PackResult result_;
};

}  // namespace

PackResult make_pack(const PhotoSource& source, const std::string& path, const PackOptions& options,
                     mt::WorkerPool& workers, const std::function<void(const std::string&)>& warn,
                     const std::function<void(int done, int total)>& progress,
                     const std::atomic<bool>& cancelled) {
  return Packing(source, path, options, cancelled).run(workers, warn, progress);
}

}  // namespace mosaic::pack
