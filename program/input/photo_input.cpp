// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/photo_input.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/formats/photo_format.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/input/input_path.h"
#include "program/input/media.h"

namespace mosaic_program {
namespace {

constexpr size_t kFirstBytes = 4096;  // enough to know a photo

/// The first bytes of a file; none if it cannot be read.
std::vector<uint8_t> first_bytes(const std::string& path, size_t most) {
  try {
    const mosaic::RegularFile file(path);
    std::vector<uint8_t> bytes(std::min<size_t>(most, file.size()));
    bytes.resize(mosaic::read_at(file.fd(), bytes.data(), bytes.size(), 0));
    return bytes;
  } catch (const mosaic::Error&) {
    return {};
  }
}

/// The media type of a photo, by the file's content; empty: it is no photo.
std::string photo_type(const std::string& path) {
  const char* type = mosaic::photo_format(first_bytes(path, kFirstBytes)).type;
  return type ? type : "";
}

/// As PhotoInput::delays(). @param path of a photo that was decoded
std::vector<int> delays_of(const std::string& path) {
  const std::vector<uint8_t> bytes = first_bytes(path, mosaic::decoder::kMaxFileBytes);
  return mosaic::photo_format(bytes).delays(bytes);
}

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

/// A text about a file in which the file has another name.
std::string with_name(std::string text, const std::string& path, const std::string& name) {
  const size_t found = text.find(path);
  return found == text.npos ? text : text.replace(found, path.size(), name);
}

}  // namespace

std::shared_ptr<const PhotoInput> PhotoInput::read(const std::string& input) {
  std::optional<FetchedPicture> fetched = FetchedPicture::fetch(input);
  const std::string path = fetched ? fetched->path() : input_path(input);
  std::error_code error_code;
  const bool is_file = std::filesystem::is_regular_file(path, error_code);
  const std::string type = is_file ? photo_type(path) : "";
  if (type.empty()) return nullptr;
  try {
    auto photo = std::make_shared<PhotoInput>(
        fetched ? input : path, mosaic::PhotoDecoder::decode_picture(path, decoder_program()));
    if (fetched) photo->command_ = {fetched->command(), {decoder_program(), "-"}};
    if (photo->picture_.facts.is_animated) photo->delays_ = delays_of(path);
    photo->fetched_ = std::move(fetched);
    return photo;
  } catch (const mosaic::Error& error) {
    const std::string why = fetched ? with_name(error.what(), path, input) : error.what();
    // Without a loader, GStreamer may have a decoder; and a film may call itself a picture, too.
    const bool may_be_film = type == "image/heif" || type == "image/avif";
    if (error.kind() != mosaic::Error::Kind::kFormat && !may_be_film) throw Failure(why);
    try {
      look_into(input);
    } catch (const Failure&) {
      throw Failure(why);
    }
    return nullptr;
  }
}

PhotoInput::PhotoInput(std::string name, mosaic::DecodedPicture picture)
    : name_(std::move(name)), command_{{decoder_program(), name_}}, picture_(std::move(picture)) {}

void PhotoInput::link(PipelineLine& line) const {
  read_pixels(line, picture_.pixels.get(), command_, size());
  line.link("imagefreeze").set("num-buffers", 1);
}

PictureSize PhotoInput::size() const {
  return {.width = picture_.width, .height = picture_.height};
}

std::vector<std::string> PhotoInput::notices() const {
  const mosaic::PhotoFacts& facts = picture_.facts;
  std::vector<std::string> all;
  if (is_animation())
    all.push_back(name_ +
                  " is an animation, and only its first picture is taken; in a video "
                  "(.mp4, .mov, .mkv, .webm) all of them are drawn");
  else if (facts.is_animated)
    all.push_back(name_ +
                  " is an animation that cannot be played here; its first picture is taken");
  if (facts.full_size.width > 0)
    all.push_back(name_ + " has " + size_text(facts.full_size.width, facts.full_size.height) +
                  " pixels and is used as " + size_text(picture_.width, picture_.height));
  for (const std::string& notice : notices_of_colours()) all.push_back(notice);
  return all;
}

std::vector<std::string> PhotoInput::notices_of_colours() const {
  const std::string& profile = picture_.facts.profile;
  if (profile.empty()) return {};
  return {"the photo's colours (" + profile + ") are converted to sRGB"};
}

}  // namespace mosaic_program
