// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/storms/journal.h"

#include <execinfo.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace storm {
namespace {

const int kStackSignal = SIGRTMIN + 3;

void print_own_stack(int) {
  void* frames[48];
  const int count = backtrace(frames, 48);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

/// Prints the stack of each thread, one after the other.
void print_stacks() {
  struct sigaction action {};
  action.sa_handler = print_own_stack;
  sigaction(kStackSignal, &action, nullptr);
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string id = task.path().filename().native();
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    std::fprintf(stderr, "thread %s (%s):\n", id.c_str(), name.c_str());
    syscall(SYS_tgkill, getpid(), std::atoi(id.c_str()), kStackSignal);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void write_line(int file, const std::string& text) {
  char start[64];
  const int64_t now = g_get_monotonic_time();
  std::snprintf(start, sizeof start, "%lld.%06lld %ld ", static_cast<long long>(now / 1000000),
                static_cast<long long>(now % 1000000), static_cast<long>(syscall(SYS_gettid)));
  const std::string line = start + text + '\n';
  if (write(file, line.data(), line.size()) < 0) std::perror("journal");
}

}  // namespace

double load_factor() {
  double load = 0;
  std::ifstream("/proc/loadavg") >> load;
  return std::max(1.0, load / std::max(1U, std::thread::hardware_concurrency()));
}

Journal::Journal(const std::string& path, int patience)
    : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600)),
      patience_(int64_t{patience} * kSlowness * 1000000) {
  // The first call loads a library, which a signal handler must not.
  void* frame;
  backtrace(&frame, 1);
  watchdog_ = std::thread(&Journal::watch, this);
}

Journal::~Journal() {
  ends_ = true;
  watchdog_.join();
  close(file_);
}

void Journal::note(const std::string& text) {
  write_line(file_, text);
}

void Journal::fail(const std::string& why) {
  write_line(file_, "FAILED: " + why);
  std::fprintf(stderr, "storm: %s\n", why.c_str());
  print_stacks();
  std::abort();
}

void Journal::watch() {
  int64_t last = g_get_monotonic_time();
  while (!ends_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const int64_t now = g_get_monotonic_time();
    fair_time_ += static_cast<int64_t>(static_cast<double>(now - last) / load_factor());
    last = now;
    for (const std::atomic<int64_t>& began : began_) {
      const int64_t since = began;
      if (since && fair_time_ - since > patience_)
        fail("a step hangs (those that have begun and not ended are in the journal)");
    }
  }
}

Journal::Step::Step(Journal& journal, const std::string& text)
    : journal_(journal), slot_(-1), began_(g_get_monotonic_time()) {
  for (int i = 0; slot_ < 0; i = (i + 1) % static_cast<int>(journal.began_.size())) {
    int64_t free = 0;
    if (journal.began_[i].compare_exchange_strong(free, journal.fair_time_)) slot_ = i;
  }
  ++journal.steps_;
  write_line(journal.file_, text);
}

Journal::Step::~Step() {
  if (seconds() > 0.5)
    write_line(journal_.file_, "the step took " + std::to_string(seconds()) + " s");
  journal_.began_[slot_] = 0;
}

double Journal::Step::seconds() const {
  return static_cast<double>(g_get_monotonic_time() - began_) / 1e6;
}

}  // namespace storm
