// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/web_files.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>

#include "mosaic/base/error.h"
#include "mosaic/stream/packet.h"
#include "mosaic/stream/stream_header.h"
#include "program/failure.h"
#include "program/json_text.h"
#include "program/web/page.h"

namespace mosaic_program {
namespace {

using mosaic::Error;
using namespace mosaic::stream;

constexpr char kFilm[] = "film.mosaic", kPage[] = "index.html", kPhotos[] = "photos.json",
               kTiles[] = "tiles/", kJpeg[] = ".jpg";

/// The header in the first packet of a film.
StreamHeader read_film_header(const mosaic::RegularFile& film) {
  std::vector<uint8_t> start(std::min<size_t>(film.size(), size_t{1} << 20));
  start.resize(mosaic::read_at(film.fd(), start.data(), start.size(), 0));
  const auto head = read_packet_header(start);
  if (!head || head->kind != PacketKind::kKey)
    throw Error(Error::Kind::kRead, "it is no mosaic stream (-o film.mosaic makes one)");
  size_t size = 0;
  return read_header(std::span<const uint8_t>(start).subspan(kPacketHeaderBytes), size);
}

mosaic::RegularFile open_film(const std::string& path) try {
  return mosaic::RegularFile(path);
} catch (const Error& error) {
  throw Failure(path + ": " + error.what());
}

mosaic::pack::PackPhotos open_pack(const std::string& path,
                                   const std::atomic<bool>& cancelled) try {
  return {path, 0, cancelled};
} catch (const Error& error) {
  throw Failure(error.what());
}

WebFiles::File text_file(const char* type, std::string_view text) {
  return {.type = type, .bytes = {text.begin(), text.end()}};
}

/// Reads a number of decimal digits without others in front; -1: it is none.
int read_number(const std::string& text) {
  if (text.empty() || text.size() > 8 || (text[0] == '0' && text.size() > 1)) return -1;
  for (const char c : text)
    if (c < '0' || c > '9') return -1;
  return std::atoi(text.c_str());
}

std::string page_name(const PageLevel& level, int number) {
  return kTiles + std::to_string(level.side) + "/" + std::to_string(number) + kJpeg;
}

/// Throws Failure if the film cannot be read, or was made with another pack.
mosaic::Shape cell_shape(const std::string& name, const mosaic::RegularFile& film,
                         const std::string& pack_name, const mosaic::pack::Pack& pack) {
  const StreamHeader header = [&] {
    try {
      return read_film_header(film);
    } catch (const Error& error) {
      throw Failure(name + ": " + error.what());
    }
  }();
  if (!(header.photos == pack.hash()))
    throw Failure(name + " was made with the pack " + header.photos.text() + ", and " + pack_name +
                  " is " + pack.hash().text());
  return header.cell;
}

}  // namespace

WebFiles::WebFiles(const std::string& film, const std::string& pack,
                   const std::atomic<bool>& cancelled)
    : film_(open_film(film)),
      photos_(open_pack(pack, cancelled)),
      pages_(photos_, cell_shape(film, film_, pack, photos_.pack())),
      photos_json_(photos_json()) {}

std::optional<WebFiles::File> WebFiles::get(const std::string& name) const {
  if (name.empty() || name == kPage) return text_file("text/html; charset=utf-8", web_page());
  if (name == kPhotos) return text_file("application/json", photos_json_);
  if (name == kFilm) return File{.type = "application/x-mosaic", .bytes = {}, .is_film = true};
  return tile_page(name);
}

std::optional<WebFiles::File> WebFiles::tile_page(const std::string& name) const {
  if (!name.starts_with(kTiles) || !name.ends_with(kJpeg)) return {};
  for (const PageLevel& level : kPageLevels) {
    const std::string folder = kTiles + std::to_string(level.side) + "/";
    if (!name.starts_with(folder)) continue;
    const int number = read_number(name.substr(
        folder.size(), name.size() - folder.size() - std::char_traits<char>::length(kJpeg)));
    if (number < 0 || number >= pages_.count(level)) return {};
    return File{.type = "image/jpeg", .bytes = pages_.page(level, number), .may_be_kept = true};
  }
  return {};
}

std::vector<std::string> WebFiles::names() const {
  std::vector<std::string> names = {kPage, kPhotos};
  for (const PageLevel& level : kPageLevels)
    for (int i = 0; i < pages_.count(level); ++i)
      if (pages_.shows_more(level, i)) names.push_back(page_name(level, i));
  return names;
}

/// What the page asks first: the hash of the pack, and of each photo its name and its largest side.
std::string WebFiles::photos_json() const {
  const mosaic::pack::Pack& pack = photos_.pack();
  std::string names, sides;
  for (int i = 0; i < pack.count(); ++i) {
    names += (i ? ",\n" : "") + json_text(pack.name(i));
    sides += (i ? "," : "") + std::to_string(mosaic::pack::side_of(pack.levels(i) - 1));
  }
  return "{\"hash\": \"" + pack.hash().text() + "\",\n\"sides\": [" + sides + "],\n\"names\": [" +
         names + "]}\n";
}

}  // namespace mosaic_program
