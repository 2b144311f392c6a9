// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares schemes for choosing tiles on one clip: how far they are from each frame's optimum, and
// how many tiles they change. See bench/README.md.
//
// usage: coherence PHOTOS WIDTH HEIGHT SIDE [FIRST LAST] <FRAMES
//
// FRAMES are GStreamer's video/x-raw,format=RGB. COHERENCE_PRICES may name price curves to try, six
// numbers each as in PriceCurve: "2,0.28,6,0.45,0.18,12 0.5,0.5,1,0,0,1"; COHERENCE_AHEAD how many
// frames to look ahead and at which LookaheadPrice: "12,1.6,3 64".
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bench/gates.h"
#include "bench/source.h"
#include "mosaic/placement/placement.h"

namespace {

using bench::Setup;
using bench::Source;

/// The results of one scheme, without scene cuts.
struct Score {
  double gap = 0;  ///< cost above the frame's exact optimum, relative
  int64_t changed = 0, unexplained = 0, frames = 0;
  double ms = 0;
  std::vector<double> times;
};

/// A way of choosing the tiles of each frame. next() is given the element's causal analysis, in
/// which cells that hardly moved keep their costs, or that of every pixel.
class Scheme {
 public:
  explicit Scheme(std::string name, bool analyse_all = false)
      : name(std::move(name)), analyse_all(analyse_all) {}
  virtual ~Scheme() = default;
  virtual const std::vector<int32_t>& next(Source& source) = 0;

  const std::string name;
  const bool analyse_all;
  Score score;
  std::vector<int32_t> last;
};

/// The element's, with a price curve. With `always_cut`, every frame is treated as a scene cut.
/// Without a price, it is the optimum of all pixels.
class CurveScheme final : public Scheme {
 public:
  CurveScheme(std::string name, const Source& source, const mosaic::Placement::Settings& settings,
              bool always_cut = false)
      : Scheme(std::move(name), settings.price.without_drift == 0),
        placement_(source.placement()),
        settings_(settings),
        always_cut_(always_cut) {}
  const std::vector<int32_t>& next(Source& source) override {
    placement_.begin_frame(always_cut_ ? mosaic::SceneUpdate{mosaic::Continuation::kCut}
                                       : source.scene());
    placement_.update(source.analysis(), source.candidates(), source.saliency(), settings_);
    return placement_.tiles();
  }

 private:
  mosaic::Placement placement_;
  mosaic::Placement::Settings settings_;
  bool always_cut_;
};

/// The element's with flow=block: tiles follow motion.
class MotionScheme final : public Scheme {
 public:
  explicit MotionScheme(const Source& source)
      : Scheme("the same, tiles carried along"), placement_(source.placement()) {}
  const std::vector<int32_t>& next(Source& source) override {
    placement_.begin_frame(source.scene());
    placement_.move_tiles(source.motion().field);
    placement_.update(source.analysis(), source.candidates(), source.saliency(), {});
    return placement_.tiles();
  }

 private:
  mosaic::Placement placement_;
};

/// The frames to come, for all schemes that look equally far ahead.
class FramesAhead {
 public:
  FramesAhead(const Setup& setup, bench::Clip& clip, int frames)
      : source_(setup, clip, false), frames_(frames) {}
  /// New lookahead costs, owned by this object.
  mosaic::LookaheadCosts& lookahead() {
    lookaheads_.emplace_back(new mosaic::LookaheadCosts(source_.lookahead(frames_)));
    return *lookaheads_.back();
  }
  /// Adds the frames that are known when the tiles of frame `number` are chosen.
  void add_frames_for(int number) {
    for (; next_ <= number + frames_ && source_.next(); ++next_)
      for (auto& lookahead : lookaheads_)
        lookahead->add_frame(source_.executor().workers(), source_.analysis(), source_.candidates(),
                             source_.saliency(), source_.scene().continuation);
  }

 private:
  Source source_;
  int frames_, next_ = 0;
  std::vector<std::unique_ptr<mosaic::LookaheadCosts>> lookaheads_;
};

/// The element's with lookahead.
class LookaheadScheme final : public Scheme {
 public:
  LookaheadScheme(std::string name, const Source& source, std::shared_ptr<FramesAhead> frames_ahead,
                  const mosaic::LookaheadPrice& price)
      : Scheme(std::move(name), true),
        frames_ahead_(std::move(frames_ahead)),
        lookahead_(frames_ahead_->lookahead()),
        placement_(source.placement()) {
    settings_.lookahead_price = price;
  }
  const std::vector<int32_t>& next(Source& source) override {
    frames_ahead_->add_frames_for(number_++);
    placement_.begin_frame(source.scene());
    placement_.update(source.analysis(), source.candidates(), source.saliency(), settings_,
                      &lookahead_);
    return placement_.tiles();
  }

 private:
  std::shared_ptr<FramesAhead> frames_ahead_;
  mosaic::LookaheadCosts& lookahead_;
  mosaic::Placement placement_;
  mosaic::Placement::Settings settings_;
  int number_ = 0;
};

/// The rule of photomosaic-video, see Gates.
class GatesScheme final : public Scheme {
 public:
  explicit GatesScheme(const Source& source)
      : Scheme("gates", true), keyframes_(source.placement()), gates_(source.grid()) {}
  const std::vector<int32_t>& next(Source& source) override {
    if (source.keyframe()) {
      keyframes_.begin_frame(source.scene());
      keyframes_.update(source.analysis(), source.candidates(), source.saliency(), {});
      gates_.reset(source.analysis(), keyframes_.tiles());
    } else {
      gates_.update(source);
    }
    return gates_.tiles();
  }

 private:
  mosaic::Placement keyframes_;
  bench::Gates gates_;
};

double sum_of_costs(const Source& source, const std::vector<int32_t>& tiles) {
  double sum = 0;
  for (int cell = 0; cell < source.grid().cells(); ++cell) sum += source.cost(cell, tiles[cell]);
  return sum;
}

/// @param source that of all pixels
void add_to_score(Scheme& scheme, const Source& source, const std::vector<int32_t>& tiles,
                  double optimum, double ms) {
  Score& score = scheme.score;
  if (!source.keyframe()) {
    ++score.frames;
    score.times.push_back(ms);
    score.gap += sum_of_costs(source, tiles) / optimum - 1;
    for (int cell = 0; cell < source.grid().cells(); ++cell) {
      if (tiles[cell] == scheme.last[cell]) continue;
      ++score.changed;
      score.unexplained += source.analysis().moved(cell) < mosaic::kVisibleStep;
    }
  }
  scheme.last = tiles;
}

mosaic::Placement::Settings priced(const mosaic::PriceCurve& price) {
  mosaic::Placement::Settings settings;
  settings.price = price;
  return settings;
}

std::vector<std::unique_ptr<Scheme>> schemes(const Setup& setup, bench::Clip& clip,
                                             const Source& source) {
  std::vector<std::unique_ptr<Scheme>> all;
  all.push_back(
      std::make_unique<CurveScheme>("exact, no price", source, priced({0, 0, 1, 0, 0, 1})));
  all.push_back(std::make_unique<GatesScheme>(source));
  const auto add = [&](const mosaic::PriceCurve& p) {
    std::ostringstream name;
    name << "price " << p.without_drift << " -> " << p.with_drift << " over " << p.full_drift
         << ", still " << p.still_surcharge << ", fast " << p.fast_surcharge << " over "
         << p.fast_speed;
    all.push_back(std::make_unique<CurveScheme>(name.str(), source, priced(p)));
  };
  add({0.5, 0.5, 1, 0, 0, 1});
  for (const char* list = std::getenv("COHERENCE_PRICES"); list && *list;) {
    mosaic::PriceCurve p;
    int used = 0;
    if (std::sscanf(list, "%lf,%lf,%lf,%lf,%lf,%lf%n", &p.without_drift, &p.with_drift,
                    &p.full_drift, &p.still_surcharge, &p.fast_surcharge, &p.fast_speed,
                    &used) != 6)
      break;
    add(p);
    list += used + (list[used] == ' ');
  }
  add({});
  all.push_back(std::make_unique<MotionScheme>(source));
  const char* ahead = std::getenv("COHERENCE_AHEAD");
  std::istringstream frames(ahead ? ahead : "12 64");
  std::map<int, std::shared_ptr<FramesAhead>> frames_ahead_by_count;
  for (std::string text; frames >> text;) {
    mosaic::LookaheadPrice p;
    int n = 0;
    std::sscanf(text.c_str(), "%d,%lf,%lf", &n, &p.base, &p.still_surcharge);
    auto& frames_ahead = frames_ahead_by_count[n];
    if (!frames_ahead) frames_ahead = std::make_shared<FramesAhead>(setup, clip, n);
    std::ostringstream name;
    name << "look ahead " << n << " frames, price " << p.base << ", still " << p.still_surcharge;
    all.push_back(std::make_unique<LookaheadScheme>(name.str(), source, frames_ahead, p));
  }
  return all;
}

double percent_of(const Source& source, int64_t count, int64_t frames) {
  return 100.0 * static_cast<double>(count) / (static_cast<double>(frames) * source.grid().cells());
}

void print(const Source& source, const std::vector<std::unique_ptr<Scheme>>& all) {
  const Score* gates = nullptr;
  for (const auto& scheme : all)
    if (scheme->name == "gates") gates = &scheme->score;
  std::printf(
      "| scheme, %d cells | gap %% | churn %% | unexplained %% | beside the gates | ms, median |\n",
      source.grid().cells());
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  for (const auto& scheme : all) {
    Score& s = scheme->score;
    std::nth_element(s.times.begin(), s.times.begin() + s.times.size() / 2, s.times.end());
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f %.2f %.2f | %.2f |\n", scheme->name.c_str(),
                100 * s.gap / s.frames, percent_of(source, s.changed, s.frames),
                percent_of(source, s.unexplained, s.frames), s.gap / gates->gap,
                static_cast<double>(s.changed) / gates->changed,
                static_cast<double>(s.unexplained) / gates->unexplained,
                s.times[s.times.size() / 2]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 7) {
    std::fprintf(stderr, "usage: coherence PHOTOS WIDTH HEIGHT SIDE [FIRST LAST] <FRAMES\n");
    return 2;
  }
  const int width = std::atoi(argv[2]), height = std::atoi(argv[3]);
  const Setup setup(argv[1], width, height, std::atoi(argv[4]));
  std::ios::sync_with_stdio(false);  // or else stdin is read byte by byte
  bench::Clip clip(std::cin, width, height);
  Source source(setup, clip, true), all_pixels(setup, clip, false);
  const int first = argc == 7 ? std::atoi(argv[5]) : 0;
  const int last = argc == 7 ? std::atoi(argv[6]) : INT32_MAX;
  clip.skip(first);
  auto all = schemes(setup, clip, source);
  CurveScheme best("optimum", source, priced({0, 0, 1, 0, 0, 1}), true);
  for (int i = first; i <= last && source.next() && all_pixels.next(); ++i) {
    const double optimum = sum_of_costs(all_pixels, best.next(all_pixels));
    for (const auto& scheme : all) {
      const auto start = std::chrono::steady_clock::now();
      const std::vector<int32_t>& tiles = scheme->next(scheme->analyse_all ? all_pixels : source);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      add_to_score(*scheme, all_pixels, tiles, optimum, took.count());
    }
    clip.drop(i - first);
  }
  if (all.front()->score.frames == 0) {
    std::fprintf(stderr, "coherence: no frames but cuts\n");
    return 1;
  }
  print(source, all);
}
