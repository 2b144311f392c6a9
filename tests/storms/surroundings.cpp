// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/storms/surroundings.h"

#include <glib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/gst/harness.h"

namespace storm {
namespace {

namespace fs = std::filesystem;

constexpr int kPhotos = 12;

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

Surroundings::Surroundings(const std::string& folder) : root_(folder), owned_(folder.empty()) {
  if (owned_) {
    gchar* made = g_dir_make_tmp("mosaictemporal-storm-XXXXXX", nullptr);
    root_ = made;
    g_free(made);
  }
  element_test::write_photos(path("photos"), kPhotos);
  element_test::write_photos(path("changing"), kPhotos);
  element_test::write_photos(path("few"), 1);
  fs::create_directories(path("empty"));
  write_text(path("photos/broken.jpg"), "no picture");
  write_text(path("good.toml"),
             "beta = 0.4\nsize = 300\nflow_size = [64, 48]\nsolver = \"auction\"\n");
  write_text(path("good.yaml"), "beta: 0.1\nsize: 20x10\nprofile_name: film\n");
  write_text(path("broken.toml"), "beta = [[[\n");
  write_text(path("wrong.yaml"), "beta: 7\nno_such_field: 1\n");
  write_text(path("look.toml"), "description = \"a look\"\ngamma = 0.5\nfidelity = 0.2\n");
}

Surroundings::~Surroundings() {
  std::error_code error;
  if (owned_) fs::remove_all(root_, error);
}

Choices Surroundings::tile_locations() const {
  return {{"", path("photos"), path("photos"), "file://" + path("photos"),
           path("phot*") + ";" + path("photos")},
          {"", path("changing"), path("changing"), path("few"), path("photos/photo3.bmp"),
           path("empty"), path("missing"), path("good.toml"), path("*"),
           path("few") + ";" + path("none*") + ";" + path("changing")}};
}

Choices Surroundings::cache_locations() const {
  return {{"", path("cache"), path("cache"), path("cache/deeper")},
          {path("good.toml"), "/proc/no-such-folder"}};
}

Choices Surroundings::config_locations() const {
  return {{"", path("good.toml"), path("good.yaml")},
          {path("broken.toml"), path("wrong.yaml"), path("missing.toml"), path("photos")}};
}

Choices Surroundings::intermediate_locations() const {
  return {{path("intermediate"), path("intermediate/a/b")}, {"", "/proc/no-such-folder"}};
}

Choices Surroundings::profiles() const {
  return {{"ultra", "natural", "vivid", "vivid_b", "tile", "fast", "plain", "faithful", "film",
           "photos", path("look.toml")},
          {"no such profile", path("broken.toml")}};
}

std::string Surroundings::change(Random& random) const {
  std::error_code error;
  const std::string folder = path("changing");
  const std::string name = "/photo" + std::to_string(random.between(0, kPhotos - 1)) + ".bmp";
  const std::string photo = folder + name;
  switch (random.between(0, 11)) {
    case 0:
      fs::remove_all(folder, error);
      return "removed " + folder;
    case 1:
      fs::remove_all(folder + "-away", error);
      fs::rename(folder, folder + "-away", error);
      return "renamed " + folder;
    case 2:
    case 3:
      fs::remove(photo, error);
      return "removed " + photo;
    case 4:
      fs::create_directories(folder, error);
      write_text(photo, "BM, but not much more");
      return "truncated " + photo;
    case 5: {
      fs::create_directories(folder + "/deeper", error);
      fs::copy_file(path("photos") + name, folder + "/deeper" + name, error);
      return "added a folder";
    }
    case 6:
    case 7:
      return hinder_intermediate(random);
    default:
      fs::create_directories(folder, error);
      fs::copy_file(path("photos") + name, photo, fs::copy_options::overwrite_existing, error);
      return "wrote " + photo;
  }
}

std::string Surroundings::hinder_intermediate(Random& random) const {
  const std::string folder = path("intermediate");
  gchar* file = g_strdup_printf("%s/frame-%06d-%s.png", folder.c_str(), random.between(0, 50),
                                random.pick({"source", "saliency", "tiles", "finished"}));
  const std::string name = file;
  g_free(file);
  std::error_code error;
  fs::create_directories(folder, error);
  fs::remove(name, error);
  if (random.one_in(2))
    return mkfifo(name.c_str(), 0600) == 0 ? "made the FIFO " + name : "nothing";
  fs::create_symlink(path("photos/photo0.bmp"), name, error);
  return "made the link " + name;
}

void Surroundings::clear_intermediate() const {
  std::error_code error;
  fs::remove_all(path("intermediate"), error);
}

}  // namespace storm
