// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/photo_decoder.h"

#include <gio/gio.h>
#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/resize_part.h"
#include "mosaic/photos/tile_pictures.h"
#include "tests/mosaic/photos/photo_files.h"
#include "tests/slow_photo.h"

namespace mosaic {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class Decoder : public testing::Test {
 protected:
  Photo decode(const Bytes& bytes, const std::string& name = "photo.jpg") {
    write_bytes(folder_ / name, bytes);
    return decoder_->decode(folder_ / name);
  }

  /// The message of the Error that decoding throws; it must name the file.
  std::string error_of(const std::string& path) {
    try {
      decoder_->decode(path);
    } catch (const Error& error) {
      kind_ = error.kind();
      if (kind_ == Error::Kind::kRead) {
        EXPECT_THAT(error.what(), HasSubstr(path));
      }
      return error.what();
    }
    ADD_FAILURE() << path << " was decoded";
    return {};
  }

  std::string error_of(const Bytes& bytes, const std::string& name = "hostile.jpg") {
    write_bytes(folder_ / name, bytes);
    return error_of(folder_ / name);
  }

  /// After a process was ended, another decodes the next photo.
  void expect_goes_on() { EXPECT_EQ(decode(encode("png", 5, 4, noise_pixel)).width, 5); }

  TempFolder folder_;
  std::atomic<bool> cancelled_ = false;
  std::optional<PhotoDecoder> decoder_{std::in_place, cancelled_};
  Error::Kind kind_ = Error::Kind::kRead;
};

void append(Bytes& to, const Bytes& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

void append_number(Bytes& to, uint32_t value) {
  append(to, {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
              static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)});
}

/// As RFC 1950.
Bytes compressed(const Bytes& bytes) {
  GZlibCompressor* zlib = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
  Bytes out(bytes.size() / 100 + 1000);
  gsize read = 0, written = 0;
  EXPECT_EQ(g_converter_convert(G_CONVERTER(zlib), bytes.data(), bytes.size(), out.data(),
                                out.size(), G_CONVERTER_INPUT_AT_END, &read, &written, nullptr),
            G_CONVERTER_FINISHED);
  g_object_unref(zlib);
  out.resize(written);
  return out;
}

/// The check of a chunk of PNG (ISO 3309).
uint32_t crc_of(const uint8_t* data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/// A PNG with 900 text chunks, each of 7.5 MB when decompressed.
Bytes png_of_texts() {
  Bytes text = {'T', 'i', 't', 'l', 'e', 0, 0};
  append(text, compressed(Bytes(7500000, 'x')));
  Bytes chunk = {'z', 'T', 'X', 't'};
  append(chunk, text);
  const uint32_t crc = crc_of(chunk.data(), chunk.size());
  const Bytes png = encode("png", 8, 8, noise_pixel);
  constexpr size_t kHeader = 8 + 25;  // signature and IHDR
  Bytes out(png.begin(), png.begin() + kHeader);
  for (int i = 0; i < 900; ++i) {
    append_number(out, static_cast<uint32_t>(text.size()));
    append(out, chunk);
    append_number(out, crc);
  }
  out.insert(out.end(), png.begin() + kHeader, png.end());
  return out;
}

/// A WebP animation with a damaged frame, for which the loader prints a critical message. With
/// G_DEBUG=fatal-criticals, as these tests run, such a message ends a process.
constexpr char kDamagedAnimation[] =
    "UklGRhUDAABXRUJQVlA4WAoAAAACAAAADwAACwAAQU5JTQYAAAAAAAAAAABBTk1GOgEAAP8AAAAAAA8AAAtsADIA"
    "AAJWUDggIgEAAFABAJ0BKhAADAABQCYlpAAEdAAA/kv/94H8n/9///k1quofpn/mMcf7af1rn/+Nt//29/T/EwFO"
    "9v+TvzNFPd8TvfVev/sR/0754Tf3unv+/8zvzL/7f/8Nn/eoH+/8TtHYK5/EwBG7wHf8yZ3UF8Lp/2AZ3/id5nf+"
    "G+EP8nI/evTfP/9K5/z//S4HP5sy/iEr+Jn3x/8ndH4nfP/2/u8n/pc4v6Sh/s538P+JxL/v/uzv9+oVcf/8zuP4"
    "mA/J1NL8Gv/5n9ufv//EnnxO99V+J0o/6ufk71/6cv9cfyBv7+Z96+Tqj8/O9/2nfzOHhlsTqeWHk75+XXzf55f9"
    "If9o/t6w/dZv6uf/2Of2uX40/xO/Q2P/6uXd9bL+Jj+l0AAAQU5NRtIAAAAAAAAAAAAPAAALAAAyAAAAVlA4ILoA"
    "AAAUAgCdASoQAAwAAAAmJaQAA123h/9v8wKAAP72//+m0AxT/+CAIiYr84Tff7eMy7LDeNN9MLOX9/ZYP5squoV2"
    "ul/F8p+gfzzKn7//5DWDr5f7fnmkUe+x69Rlvrq9d9vbRqPod8jWoPwf0/8hzagngoDoP1vL/4bxB3j1Ky9gpT62"
    "x853pf17f3/+NS9VPuqC8/3+XohaNGRFo+cV1qpZK/1AQ1iH7MH828Bl9HAkWaSBZOdmwbxf4ABBTk1GNAEAAAAA"
    "AAAAAA8AAAsAADIAAABWUDggHAEAAFQBAJ0BKhAADAAAACYlpAAEdAAA+z/+h50H/5c3/5n672mOP/8m1/0G7f/7"
    "7nW6v8/n7Ti+wD29Yftxj9XP+ggfM4f5xzusP4+Tv9x/9O/yBv8Sj+l8nVH56yz//fv4z+//8SefJ3k9P5Oyj/pc"
    "+J3X//cL+/UKvrH+f8j8TAfk7oC+DXo2n+lzi/q0P+vy/w/4nEv+9Y7/EJX+3Paf/5O6Pyd+Z3t/715i/5OR+/9j"
    "8zv1aH8=";

/// The most memory that any ended child of this process has used, in MiB.
int64_t peak_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss / 1024;
}

TEST_F(Decoder, GivesThePixels) {
  const Photo photo = decode(encode("png", 33, 5, noise_pixel));
  ASSERT_EQ(photo.width, 33);
  ASSERT_EQ(photo.height, 5);
  ASSERT_EQ(photo.rgb.size(), 33U * 5 * 3);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 33; ++x)
      for (int c = 0; c < 3; ++c) ASSERT_EQ(photo.rgb[(y * 33 + x) * 3 + c], noise_pixel(x, y, c));
}

TEST_F(Decoder, GivesThePictureThatAMosaicIsMadeOf) {
  write_bytes(folder_ / "photo.png", encode("png", 33, 5, noise_pixel));
  const DecodedPicture picture =
      PhotoDecoder::decode_picture(folder_ / "photo.png", photo_decoder_program());
  ASSERT_EQ(picture.width, 33);
  ASSERT_EQ(picture.height, 5);
  EXPECT_FALSE(picture.facts.is_animated);
  EXPECT_EQ(picture.facts.full_size.width, 0);
  EXPECT_EQ(picture.facts.profile, "");
  Bytes rgb(33 * 5 * 3 + 1);
  ASSERT_EQ(read_at(picture.pixels.get(), rgb.data(), rgb.size(), 0), rgb.size() - 1);
  rgb.pop_back();
  EXPECT_EQ(rgb, decode(encode("png", 33, 5, noise_pixel)).rgb);
}

/// The pictures of a photo that is decoded whole.
void expect_pictures(const Photo& photo, const TilePictures& pictures, int tolerance) {
  for (const TilePictures::Picture& picture : pictures.picture) {
    Bytes expected(picture.bytes());
    if (expected.empty()) continue;
    resize_part(photo, shown_part(photo, pictures.cut), picture.size, expected.data());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(picture.out[i], expected[i], tolerance) << "byte " << i;
  }
}

int smooth_pixel(int x, int y, int c) {
  return 128 + static_cast<int>(60 * std::sin(x / (50.0 + 20 * c)) + 60 * std::cos(y / 70.0));
}

class PreparedPhoto : public Decoder {
 protected:
  PhotoSize prepare(const Bytes& bytes) {
    write_bytes(folder_ / "photo", bytes);
    return decoder_->prepare(folder_ / "photo", pictures_);
  }

  Bytes first_ = Bytes(3 * 30 * 20), second_ = Bytes(3 * 16 * 16);
  TilePictures pictures_{.cut = {.shape = {3, 2}, .crop = Crop::kCentre},
                         .picture = {{{{30, 20}, first_.data()}, {16, second_.data()}}}};
};

TEST_F(PreparedPhoto, HasThePicturesOfTheWholeOne) {
  const Bytes png = encode("png", 333, 257, noise_pixel);
  const PhotoSize size = prepare(png);
  EXPECT_EQ(size.width, 333);
  EXPECT_EQ(size.height, 257);
  expect_pictures(decode(png), pictures_, 0);
  pictures_.picture[1] = {};
  prepare(png);
  expect_pictures(decode(png), pictures_, 0);
}

TEST_F(PreparedPhoto, IsDecodedSmallerWhereItIsALargeJpeg) {
  const Bytes jpeg = encode("jpeg", 1500, 1000, smooth_pixel);
  const PhotoSize size = prepare(jpeg);
  EXPECT_EQ(size.width, 375);
  EXPECT_EQ(size.height, 250);
  expect_pictures(decode(jpeg), pictures_, 1);
}

TEST_F(PreparedPhoto, LeavesAPhotoThatCannotBeDecodedToTheNext) {
  EXPECT_THROW(prepare({'h', 'e', 'l', 'l', 'o', '\n'}), Error);
  const Bytes png = encode("png", 60, 40, noise_pixel);
  prepare(png);
  expect_pictures(decode(png), pictures_, 0);
}

/// What Linux says of the only child, an idle decoder (proc_pid_status(5)).
std::string status_of_child() {
  pid_t child = 0;
  std::ifstream("/proc/self/task/" + std::to_string(getpid()) + "/children") >> child;
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  return {std::istreambuf_iterator<char>(status), {}};
}

TEST_F(Decoder, IsConfined) {
  if (prctl(PR_GET_SECCOMP) < 0) GTEST_SKIP() << "this kernel has no seccomp";
  expect_goes_on();
  const std::string status = status_of_child();
  EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));  // SECCOMP_MODE_FILTER
  EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(Decoder, DetectsTheFormatByContent) {
  EXPECT_EQ(decode(encode("png", 3, 2, noise_pixel), "misnamed.jpg").width, 3);
}

TEST_F(Decoder, RejectsFilesThatAreNoPictures) {
  EXPECT_THAT(error_of({}, "empty.jpg"), HasSubstr("empty"));
  EXPECT_THAT(error_of({'h', 'e', 'l', 'l', 'o', '\n'}, "text.jpg"), HasSubstr("not a JPEG"));
  EXPECT_THAT(error_of(folder_ / "nowhere.jpg"), HasSubstr("No such file"));
  fs::create_directories(folder_ / "folder.jpg");
  EXPECT_THAT(error_of(folder_ / "folder.jpg"), HasSubstr("not a regular file"));
  ASSERT_EQ(mkfifo((folder_ / "pipe.jpg").c_str(), 0600), 0);
  EXPECT_THAT(error_of(folder_ / "pipe.jpg"), HasSubstr("not a regular file"));
  fs::create_symlink(folder_ / "nothing", folder_ / "dangling.jpg");
  error_of(folder_ / "dangling.jpg");
  fs::create_symlink("loop.jpg", folder_ / "loop.jpg");
  error_of(folder_ / "loop.jpg");
  EXPECT_THAT(error_of(folder_ / std::string(5000, 'x')), HasSubstr("too long"));
}

TEST_F(Decoder, ReadsLittleOfFilesThatAreNoPictures) {
  write_bytes(folder_ / "sparse.jpg", {});
  fs::resize_file(folder_ / "sparse.jpg", decoder::kMaxFileBytes);
  EXPECT_THAT(error_of(folder_ / "sparse.jpg"), HasSubstr("not a JPEG"));
  fs::resize_file(folder_ / "sparse.jpg", decoder::kMaxFileBytes + 1);
  EXPECT_THAT(error_of(folder_ / "sparse.jpg"), HasSubstr("larger than 512 MiB"));
}

TEST_F(Decoder, EndsPhotosThatTakeTooMuchMemory) {
  EXPECT_THAT(error_of(png_of_texts()), HasSubstr("hostile.jpg"));
  expect_goes_on();
  EXPECT_LT(peak_of_children(), 512 + 64);  // with the program and its libraries
}

TEST_F(Decoder, EndsPhotosThatTakeTooMuchTime) {
  EXPECT_THAT(error_of(slow_photo()), HasSubstr("more than 3 seconds"));
  expect_goes_on();
}

TEST_F(Decoder, KeepsMessagesOfLoadersOutOfThisProcess) {
  gsize size = 0;
  guchar* bytes = g_base64_decode(kDamagedAnimation, &size);
  error_of(Bytes(bytes, bytes + size), "animation.webp");
  g_free(bytes);
  expect_goes_on();
}

TEST_F(Decoder, CanBeCancelledWithinAPhoto) {
  write_bytes(folder_ / "slow.jpg", slow_photo());
  std::thread user([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancelled_ = true;
  });
  error_of(folder_ / "slow.jpg");
  EXPECT_EQ(kind_, Error::Kind::kCancelled);
  user.join();
}

TEST_F(Decoder, ReplacesAProcessThatEnded) {
  expect_goes_on();
  // The idle process is the only child.
  const std::string children = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  pid_t child = 0;
  std::ifstream(children) >> child;
  ASSERT_GT(child, 0);
  kill(child, SIGSEGV);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  expect_goes_on();
}

/// Lets MOSAICTEMPORAL_DECODER name another program.
class OtherProgram : public Decoder {
 protected:
  ~OtherProgram() override { g_setenv("MOSAICTEMPORAL_DECODER", before_.c_str(), TRUE); }
  /// With a new decoder, whose process has not begun to end after an earlier answer.
  void use(const std::string& path) {
    g_setenv("MOSAICTEMPORAL_DECODER", path.c_str(), TRUE);
    decoder_.emplace(cancelled_);
  }
  void use_script(const std::string& text) {
    const std::string path = folder_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    ASSERT_EQ(chmod(path.c_str(), 0700), 0);
    use(path);
  }

 private:
  std::string before_ = photo_decoder_program();
};

TEST_F(OtherProgram, ThatIsMissingIsNamed) {
  use(folder_ / "nowhere");
  const std::string message = error_of(encode("png", 5, 4, noise_pixel));
  EXPECT_THAT(message, HasSubstr("cannot be started"));
  EXPECT_EQ(message.find("cannot read"), message.rfind("cannot read"));
  EXPECT_THAT(message, HasSubstr(folder_ / "nowhere"));
  EXPECT_THAT(message, HasSubstr("MOSAICTEMPORAL_DECODER"));
}

TEST_F(OtherProgram, MayEndOrAnswerAnything) {
  const Bytes png = encode("png", 5, 4, noise_pixel);
  for (const auto& [script, reason] :
       {std::pair{"exit 7", "ended (7)"}, std::pair{"kill -SEGV $$", "Segmentation fault"},
        std::pair{"kill -ABRT $$", "gave up"},
        std::pair{"head -c 1 <&3 >/dev/null; printf x >&3", "ended"},
        // Sizes of 256x0, of 2139062143 squared, and one for which there are no pixels.
        std::pair{"head -c 1 <&3 >/dev/null; printf '\\0\\1\\0\\0\\0\\0\\0\\0' >&3",
                  "wrong answer"},
        std::pair{"head -c 1 <&3 >/dev/null; printf '\\177\\177\\177\\177\\177\\177\\177\\177' >&3",
                  "wrong answer"},
        std::pair{"head -c 1 <&3 >/dev/null; printf '\\1\\0\\0\\0\\1\\0\\0\\0' >&3",
                  "wrong answer"}}) {
    SCOPED_TRACE(script);
    use_script(script);
    EXPECT_THAT(error_of(png), HasSubstr(reason));
  }
}

TEST(Decoders, WorkInSeveralThreads) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 40; ++i) {
    paths.push_back(folder / (std::to_string(i) + ".png"));
    write_bytes(paths.back(), encode("png", 10 + i, 8, noise_pixel));
  }
  const std::atomic<bool> cancelled = false;
  PhotoDecoder decoder(cancelled);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (size_t i = thread; i < paths.size(); i += 2)
        EXPECT_EQ(decoder.decode(paths[i]).width, 10 + static_cast<int>(i));
    });
}

}  // namespace
}  // namespace mosaic
