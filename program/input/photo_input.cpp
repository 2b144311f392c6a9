// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/photo_input.h"

#include <gst/gst.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "gst/pointers.h"
#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/photo_format.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/input/fetched_picture.h"
#include "program/input/input_path.h"
#include "program/input/media.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr size_t kFirstBytes = 4096;  // enough to know a photo
constexpr GstClockTime kPictureWait = 2 * GST_SECOND, kTrial = 10 * GST_SECOND;

/// The media type of a photo, by the file's content; empty: it is no photo.
std::string photo_type(const std::string& path) {
  try {
    const mosaic::RegularFile file(path);
    std::vector<uint8_t> bytes(kFirstBytes);
    bytes.resize(mosaic::read_at(file.fd(), bytes.data(), bytes.size(), 0));
    const char* type = mosaic::photo_format(bytes).type;
    return type ? type : "";
  } catch (const mosaic::Error&) {
    return {};
  }
}

/// Whether GStreamer plays a file to its end, or for as long as the trial takes. Some versions play
/// a GIF and then wait for ever.
bool can_play(const std::string& path) {
  PipelineLine line;
  line.link("filesrc").set("location", path).link("decodebin");
  line.link("fakesink").set("name", "end");
  const Owned<GstElement> pipeline(line.make());
  const Owned<GstBus> bus(gst_element_get_bus(pipeline.get()));
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const Owned<GstElement> sink(gst_bin_get_by_name(GST_BIN(pipeline.get()), "end"));
  bool plays = true;
  guint64 seen = 0;
  for (GstClockTime waited = 0; waited < kTrial; waited += kPictureWait) {
    const Owned<GstMessage> message(gst_bus_timed_pop_filtered(
        bus.get(), kPictureWait, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
    if (message) {
      plays = GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS;
      break;
    }
    GstStructure* found = nullptr;
    g_object_get(sink.get(), "stats", &found, nullptr);
    const Owned<GstStructure> stats(found);
    guint64 rendered = 0;
    gst_structure_get_uint64(stats.get(), "rendered", &rendered);
    plays = rendered > std::exchange(seen, rendered);
    if (!plays) break;
  }
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  return plays;
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
  const std::optional<FetchedPicture> fetched = FetchedPicture::fetch(input);
  const std::string path = fetched ? fetched->path() : input_path(input);
  std::error_code error_code;
  const bool is_file = std::filesystem::is_regular_file(path, error_code);
  const std::string type = is_file ? photo_type(path) : "";
  if (type.empty()) return nullptr;
  try {
    auto photo = std::make_shared<PhotoInput>(
        fetched ? input : path, mosaic::PhotoDecoder::decode_picture(path, decoder_program()));
    if (fetched) photo->command_ = {fetched->command(), {decoder_program(), "-"}};
    const bool film = type == "image/gif" && photo->picture_.facts.is_animated && can_play(path);
    return film ? nullptr : photo;
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
  if (facts.is_animated)
    all.push_back(name_ +
                  " is an animation that cannot be played here; its first picture is taken");
  if (facts.full_size.width > 0)
    all.push_back(name_ + " has " + size_text(facts.full_size.width, facts.full_size.height) +
                  " pixels and is used as " + size_text(picture_.width, picture_.height));
  if (!facts.profile.empty())
    all.push_back("the photo's colours (" + facts.profile + ") are converted to sRGB");
  return all;
}

}  // namespace mosaic_program
