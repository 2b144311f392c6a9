// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace storm {

/// How many times longer everything may take in this build: sanitizers slow it down.
#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowness = 15;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowness = 6;
#else
inline constexpr int kSlowness = 1;
#endif

/// How many times longer something takes than on an idle machine, as far as one can tell from the
/// number of processes that want to run.
double load_factor();

/// The steps of a storm, in a file that survives a crash; and a watchdog over them.
class Journal {
 public:
  /// @param path of the file, which is replaced
  /// @param patience seconds of an idle machine after which a step that has not ended is a hang:
  /// the
  ///                 stack of every thread is printed, and the process aborts
  Journal(const std::string& path, int patience);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// A step that is being taken, from its constructor to its destructor.
  class Step {
   public:
    Step(Journal& journal, const std::string& text);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    /// Seconds since the step began.
    double seconds() const;

   private:
    Journal& journal_;
    int slot_;
    int64_t began_;  ///< by the monotonic clock, microseconds
  };

  /// Notes something that takes no time.
  void note(const std::string& text);
  int64_t steps() const { return steps_; }

  /// Says why the storm has failed, prints all stacks and aborts. From any thread.
  [[noreturn]] void fail(const std::string& why);

 private:
  void watch();

  int file_;
  int64_t patience_;  ///< microseconds
  /// Microseconds, from 1 on, of a clock that runs the slower the more other processes want to run.
  /// A step is not judged by the load at its end, but by that of its whole time.
  std::atomic<int64_t> fair_time_ = 1;
  std::atomic<int64_t> steps_ = 0;
  /// [slots]: fair_time_ when the step began; 0: a free slot
  std::array<std::atomic<int64_t>, 64> began_{};
  std::atomic<bool> ends_ = false;
  std::thread watchdog_;
};

}  // namespace storm
