// SPDX-License-Identifier: LGPL-2.1-or-later
// The mosaics of the emulated GPU and of the CPU are the same in every visible byte, while
// properties, caps and segments change. Input: synthetic frames, and the clip that MOSAIC_CLIP
// names, a file of raw I420 frames, 1280x720 (scripts/test.sh makes it).
#include <algorithm>
#include <fstream>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

constexpr int kClipWidth = 1280, kClipHeight = 720;

/// A source of frames of one size, which tests convert to other formats.
class Source {
 public:
  virtual ~Source() = default;
  /// The next frame, I420; null after the last.
  virtual Buffer next() = 0;
  GstVideoInfo info{};
};

/// A synthetic moving picture with a cut at every 17th frame.
class Synthetic final : public Source {
 public:
  Synthetic(int width, int height, int frames) : frames_(frames) {
    info = video_info(GST_VIDEO_FORMAT_I420, width, height);
  }
  Buffer next() override {
    if (number_ == frames_) return nullptr;
    Buffer buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
    GstVideoFrame frame;
    gst_video_frame_map(&frame, &info, buffer.get(), GST_MAP_WRITE);
    const int scene = number_ / 17;
    for (guint c = 0; c < 3; ++c)
      for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++y)
        for (int x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH(&frame, c); ++x)
          GST_VIDEO_FRAME_COMP_DATA(&frame, c)
    [y * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c) + x] =
        sample(x + 2 * number_, y, static_cast<int>(c) + scene);
    gst_video_frame_unmap(&frame);
    ++number_;
    return buffer;
  }

 private:
  /// Ramps within blocks of different colours.
  static guint8 sample(int x, int y, int kind) {
    const int block = (x / 24) * 5 + (y / 20) * 11 + kind * 7;
    return static_cast<guint8>(16 + (block * 37 + x % 24 + y % 20) % 220);
  }

  int frames_, number_ = 0;
};

class Clip final : public Source {
 public:
  explicit Clip(const char* path) : file_(path, std::ios::binary) {
    info = video_info(GST_VIDEO_FORMAT_I420, kClipWidth, kClipHeight);
  }
  Buffer next() override {
    Buffer buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
    GstMapInfo map;
    gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
    file_.read(reinterpret_cast<char*>(map.data), static_cast<std::streamsize>(map.size));
    const bool whole = file_.gcount() == static_cast<std::streamsize>(map.size);
    gst_buffer_unmap(buffer.get(), &map);
    return whole ? std::move(buffer) : nullptr;
  }

 private:
  std::ifstream file_;
};

Buffer convert(const GstVideoInfo& from, const Buffer& buffer, const GstVideoInfo& to) {
  Buffer converted(gst_buffer_new_allocate(nullptr, to.size, nullptr));
  GstVideoInfo in_info = from, out_info = to;
  GstVideoConverter* converter = gst_video_converter_new(&in_info, &out_info, nullptr);
  GstVideoFrame in, out;
  gst_video_frame_map(&in, &from, buffer.get(), GST_MAP_READ);
  gst_video_frame_map(&out, &to, converted.get(), GST_MAP_WRITE);
  gst_video_converter_frame(converter, &in, &out);
  gst_video_frame_unmap(&in);
  gst_video_frame_unmap(&out);
  gst_video_converter_free(converter);
  return converted;
}

/// Two elements with the same properties and input, one on the CPU and one on the GPU.
class Pair {
 public:
  /// @param properties of both elements
  Pair(const std::string& properties, const std::string& before, const std::string& after)
      : cpu_("mosaictemporal name=mosaic device=cpu " + properties),
        gpu_(before + "mosaictemporal name=mosaic " + properties + after) {}

  void expect_playing() {
    ASSERT_TRUE(cpu_.playing());
    ASSERT_TRUE(gpu_.playing());
  }

  void set_caps(const GstVideoInfo& info) {
    info_ = info;
    ASSERT_TRUE(cpu_.set_caps(info));
    ASSERT_TRUE(gpu_.set_caps(info));
  }

  void flush() {
    cpu_.flush();
    gpu_.flush();
  }

  template <class Value>
  void set(const char* property, Value value) {
    for (BinHarness* bin : {&cpu_, &gpu_})
      g_object_set(bin->find("mosaic").get(), property, value, nullptr);
  }

  /// Pushes a frame into both.
  void push(const Buffer& frame, int number) {
    SCOPED_TRACE("frame " + std::to_string(number));
    GST_BUFFER_PTS(frame.get()) = static_cast<guint64>(number) * 40 * GST_MSECOND;
    GST_BUFFER_DURATION(frame.get()) = 40 * GST_MSECOND;
    for (BinHarness* bin : {&cpu_, &gpu_})
      ASSERT_EQ(bin->push(Buffer(gst_buffer_copy_deep(frame.get()))), GST_FLOW_OK) << errors();
    if (number == 0) first_ = visible_bytes(info_, frame);
    compare();
  }

  /// Ends the stream, so that held frames come out. Returns the number of output frames of each.
  int finish() {
    for (BinHarness* bin : {&cpu_, &gpu_}) bin->end_stream();
    compare();
    return frames_;
  }

  /// A field of the `stats` of the GPU's element.
  std::string device() {
    GstStructure* stats = nullptr;
    g_object_get(gpu_.find("mosaic").get(), "stats", &stats, nullptr);
    const char* device = stats ? gst_structure_get_string(stats, "device") : nullptr;
    const std::string text = device ? device : "";
    if (stats) gst_structure_free(stats);
    return text;
  }

 private:
  /// Compares the frames that have come out of both.
  void compare() {
    for (Buffer cpu = cpu_.take(); cpu; cpu = cpu_.take(), ++frames_) {
      const Buffer gpu = gpu_.take();
      ASSERT_NE(gpu, nullptr);
      ASSERT_EQ(GST_BUFFER_PTS(cpu.get()), GST_BUFFER_PTS(gpu.get()));
      const auto a = visible_bytes(cpu_.output_info(), cpu);
      const auto b = visible_bytes(gpu_.output_info(), gpu);
      ASSERT_FALSE(a.empty());
      if (frames_ == 0) {
        ASSERT_FALSE(a == first_) << "no mosaic";
      }
      const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
      ASSERT_TRUE(at == a.end() && other == b.end())
          << "byte " << at - a.begin() << " of " << a.size() << " differs, at "
          << GST_BUFFER_PTS(cpu.get()) / GST_MSECOND << " ms";
    }
    ASSERT_EQ(gpu_.take(), nullptr);
  }

  std::string errors() {
    std::string text;
    for (BinHarness* bin : {&cpu_, &gpu_})
      for (const Error& error : bin->errors()) text += "\n  " + error.from + ": " + error.text;
    return text;
  }

  BinHarness cpu_, gpu_;
  GstVideoInfo info_{};
  std::vector<unsigned char> first_;  ///< the first frame, as it went in
  int frames_ = 0;                    ///< number of output frames
};

/// How frames get to the GPU and back.
struct Way {
  const char *name, *before, *after;
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}
constexpr Way kCudaMemory = {"CudaMemory",
                             "cudaupload ! capsfilter caps=video/x-raw(memory:CUDAMemory) ! ",
                             " ! cudadownload ! capsfilter caps=video/x-raw"};
constexpr Way kSystemMemory = {"SystemMemory", "", " device=cuda"};

class ClipEquality : public testing::Test {
 protected:
  void SetUp() override { abort_on_mistake(true); }
  void TearDown() override {
    const EmulatedGpuCounts now = counts();
    EXPECT_EQ(now.contexts + now.device_blocks + now.pinned_blocks + now.streams + now.events +
                  now.modules + now.pending,
              0u);
    EXPECT_EQ(now.abandoned, 0u);
  }

  /// @param change   called before each frame with its number
  /// @param dropped  number of frames that flushes drop
  template <class Change>
  static void compare(Source& source, const Way& way, GstVideoFormat format, int width, int height,
                      const std::string& properties, Change change, int dropped = 0) {
    SCOPED_TRACE(std::string(way.name) + ", " + gst_video_format_to_string(format) + " " +
                 std::to_string(width) + "x" + std::to_string(height) + ", " + properties);
    const std::uint64_t launches = counts().launches;
    Pair pair(properties, way.before, way.after);
    ASSERT_NO_FATAL_FAILURE(pair.expect_playing());
    GstVideoInfo info = video_info(format, width, height);
    ASSERT_NO_FATAL_FAILURE(pair.set_caps(info));
    int number = 0;
    for (Buffer frame = source.next(); frame; frame = source.next(), ++number) {
      ASSERT_NO_FATAL_FAILURE(change(number, pair, info));
      ASSERT_NO_FATAL_FAILURE(pair.push(convert(source.info, frame, info), number));
    }
    EXPECT_GT(number, 0);
    EXPECT_EQ(pair.finish(), number - dropped);
    EXPECT_EQ(pair.device(), "cuda");
    EXPECT_GT(counts().launches, launches);
  }

  static void no_change(int, Pair&, GstVideoInfo&) {}

  /// Changes properties, caps and segments at some frames.
  static void all_changes(int number, Pair& pair, GstVideoInfo& info) {
    switch (number) {
      case 4:
        pair.set("beta", 0.0);
        pair.set("temporal-blend", 5u);
        pair.set("flow", 1);
        break;
      case 8:
        pair.set("n-threads", 3u);
        break;
      case 10:
        pair.flush();
        break;
      case 13:
        info = video_info(GST_VIDEO_INFO_FORMAT(&info), 141, 230);
        pair.set_caps(info);
        break;
      case 16:
        pair.set("size", "9x7");
        break;
      case 19:
        pair.set("coherence", 1);
        break;
      case 22:
        info = video_info(GST_VIDEO_FORMAT_BGRA, 200, 120);
        pair.set_caps(info);
        break;
      case 25:
        pair.set("coherence", 0);
        pair.set("tile-size", 16u);
        break;
      case 28:
        pair.flush();
        pair.flush();
        break;
      default:
        break;
    }
  }
};

class SyntheticFrames : public ClipEquality,
                        public testing::WithParamInterface<std::tuple<Way, bool>> {
 protected:
  void SetUp() override {
    ClipEquality::SetUp();
    ASSERT_TRUE(set_deferred(std::get<1>(GetParam())));
  }
  static Way way() { return std::get<0>(GetParam()); }
};

TEST_P(SyntheticFrames, MatchTheCpuInEveryFormat) {
  for (const char* format : {"NV12", "I420", "RGBA", "BGRA", "RGB", "BGR"}) {
    Synthetic source(333, 197, 4);
    compare(source, way(), gst_video_format_from_string(format), 333, 197, "size=96 augment=false",
            no_change);
  }
}

TEST_P(SyntheticFrames, MatchTheCpuWithEveryProfile) {
  for (const char* profile : {"ultra", "natural", "vivid", "vivid_b", "tile", "fast", "plain"}) {
    Synthetic source(200, 120, 4);
    compare(source, way(), GST_VIDEO_FORMAT_NV12, 200, 120,
            std::string("size=60 augment=false profile-name=") + profile, no_change);
  }
}

TEST_P(SyntheticFrames, MatchTheCpuThroughAllChanges) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGBA}) {
    Synthetic source(320, 180, 32);
    compare(source, way(), format, 320, 180, "size=120 augment=false", all_changes);
  }
}

TEST_P(SyntheticFrames, MatchTheCpuWithPixelsThatAreNotSquare) {
  const auto change = [](int number, Pair& pair, GstVideoInfo& info) {
    constexpr int kAspects[][2] = {{16, 11}, {8, 9}, {1, 1}};
    if (number % 3 != 0) return;
    info.par_n = kAspects[number / 3][0];
    info.par_d = kAspects[number / 3][1];
    pair.set_caps(info);
  };
  for (const char* more : {" profile-name=ultra", " flow=block"}) {
    Synthetic source(180, 144, 9);
    compare(source, way(), GST_VIDEO_FORMAT_NV12, 180, 144,
            std::string("size=60 augment=false") + more, change);
  }
}

/// The picture moves by a cell in eight frames.
TEST_P(SyntheticFrames, MatchTheCpuWithBlockFlow) {
  const std::string flow = "tile-size=16 augment=false flow=block profile-name=plain";
  for (const char* more :
       {"", " unit=tile max-tile-uses=3 overlay=motion+changed", " augment=true"}) {
    Synthetic source(320, 180, 16);
    compare(source, way(), GST_VIDEO_FORMAT_NV12, 320, 180, flow + more, no_change);
  }
}

TEST_P(SyntheticFrames, MatchTheCpuWithLookahead) {
  for (const char* more :
       {"lookahead=3 augment=false size=120", "lookahead=3 unit=photo size=120"}) {
    Synthetic source(320, 180, 32);  // of three flushes the last drops no held frames
    compare(source, way(), GST_VIDEO_FORMAT_NV12, 320, 180, more, all_changes, 2 * 3);
  }
}

TEST_P(SyntheticFrames, MatchTheCpuWhenMixedWithTheSource) {
  const auto fade = [](int number, Pair& pair, GstVideoInfo&) {
    pair.set("mix", number < 2 ? 1.0 : 0.13 * (number % 8));
    pair.set("overlay", number < 8 ? 0u : 1u);
  };
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGBA})
    for (const char* more : {"", " lookahead=2"}) {
      Synthetic source(200, 120, 12);
      compare(source, way(), format, 200, 120, std::string("size=60 augment=false") + more, fade);
    }
}

TEST_P(SyntheticFrames, MatchTheCpuWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "7"}) {
    Synthetic source(320, 180, 5);
    compare(source, way(), GST_VIDEO_FORMAT_I420, 318, 178,
            std::string("size=120 augment=false n-threads=") + threads, no_change);
  }
}

/// The memory of the frames, and whether the emulated GPU defers its work; a sample has each, but
/// not all pairs.
const std::vector<std::tuple<Way, bool>> kWays = {
    {kCudaMemory, false}, {kCudaMemory, true}, {kSystemMemory, false}, {kSystemMemory, true}};
INSTANTIATE_TEST_SUITE_P(, SyntheticFrames, testing::ValuesIn(sampling::sample(kWays, 3)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "Deferred" : "Eager");
                         });

/// A real clip. Formats and looks are independent of each other, so NV12 is tested with the default
/// look and the other formats with the plain one.
class RecordedFrames
    : public ClipEquality,
      public testing::WithParamInterface<std::tuple<const char*, int, const char*>> {};

TEST_P(RecordedFrames, MatchTheCpu) {
  if (!std::getenv("MOSAIC_CLIP")) GTEST_SKIP() << "MOSAIC_CLIP names no clip";
  const auto [format, width, threads] = GetParam();
  ASSERT_TRUE(set_deferred(width != kClipWidth));
  std::string properties = std::string("n-threads=") + threads;
  if (const char* photos = std::getenv("MOSAIC_PHOTOS"))
    properties += " tile-location=\"" + std::string(photos) + "\"";
  if (!g_str_equal(format, "NV12")) properties += " profile-name=plain";
  Clip source(std::getenv("MOSAIC_CLIP"));
  compare(source, kCudaMemory, gst_video_format_from_string(format), width,
          width == kClipWidth ? kClipHeight : 1078, properties, no_change);
}

INSTANTIATE_TEST_SUITE_P(, RecordedFrames,
                         testing::Combine(testing::Values("NV12", "I420", "RGBA", "BGR"),
                                          testing::Values(kClipWidth, 1918),
                                          testing::Values("1", "2", "7")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  std::to_string(std::get<1>(info.param)) + "Threads" +
                                  std::get<2>(info.param);
                         });

}  // namespace
}  // namespace emulated_gpu
