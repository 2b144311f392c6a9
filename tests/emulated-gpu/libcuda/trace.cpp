// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/trace.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/faults.h"

namespace emulated_gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// The two groups of rows, which viewers show as processes.
enum Group { kGpu = 1, kHost = 2 };

struct Row {
  Group group;
  long id;  ///< of a thread: the system's; otherwise the number of the row
  std::string name;
  unsigned events = 0;  ///< shown in it
};

struct Event {
  std::size_t row;
  std::string name;
  std::string caller;  ///< of a wait: the file that contains the calling code
  Clock::time_point begin;
  Clock::duration duration{-1};  ///< negative: it has not ended
  bool elsewhere = false;        ///< shown by what it did, in another row
};

/// Kept in memory until the end, so that of several processes that inherit the variable the last
/// one writes the file: the one that started the others, such as the scanner of plugins.
struct Trace {
  std::string path;
  Clock::time_point start = Clock::now();
  std::atomic<void (*)(const char*, const char*)> begins{nullptr};
  std::mutex mutex;
  std::vector<Row> rows;
  std::vector<Event> events;
  int streams = 0;
};

Trace* trace = nullptr;  // null: none is recorded

thread_local const char* current_call = "";
thread_local std::uint64_t current_work = 0;

[[gnu::constructor]] void read_trace_of_environment() {
  const char* path = std::getenv("EMULATED_GPU_TRACE");
  if (!path) return;
  trace = new Trace;
  trace->path = path;
}

/// The trace's lock is held. @param id  of a thread; -1: a row of the GPU
std::size_t row_of(Group group, long id, const std::string& name) {
  for (std::size_t i = 0; i < trace->rows.size(); ++i) {
    const Row& row = trace->rows[i];
    if (row.group == group && row.name == name && (id < 0 || row.id == id)) return i;
  }
  const std::size_t row = trace->rows.size();
  trace->rows.push_back({group, id < 0 ? static_cast<long>(row) : id, name});
  return row;
}

/// Threads may change their names, as those of GStreamer's tasks do.
std::size_t row_of_this_thread() {
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  return row_of(kHost, gettid(), name);
}

/// Ends the hold of the lock, because what watches may block.
std::uint64_t begin(std::unique_lock<std::mutex> lock, std::size_t row, std::string name,
                    std::string caller = {}) {
  ++trace->rows[row].events;
  const std::string row_name = trace->rows[row].name;
  trace->events.push_back({row, name, std::move(caller), Clock::now()});
  const std::uint64_t event = trace->events.size();
  lock.unlock();
  if (const auto begins = trace->begins.load()) begins(row_name.c_str(), name.c_str());
  return event;
}

void end(std::uint64_t event) {
  if (event == 0) return;
  const auto now = Clock::now();
  std::lock_guard lock(trace->mutex);
  Event& ended = trace->events[event - 1];
  ended.duration = now - ended.begin;
}

void show_elsewhere(Event& event) {
  if (event.elsewhere) return;
  event.elsewhere = true;
  --trace->rows[event.row].events;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + '"';
}

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

void write_rows(std::FILE* file) {
  for (const Row& row : trace->rows)
    if (row.events > 0)
      std::fprintf(file,
                   "{\"ph\":\"M\",\"pid\":%d,\"tid\":%ld,\"name\":\"thread_name\","
                   "\"args\":{\"name\":%s}},\n",
                   row.group, row.id, quoted(row.name).c_str());
}

void write_events(std::FILE* file) {
  for (const Event& event : trace->events) {
    if (event.elsewhere || event.duration < Clock::duration{}) continue;
    const Row& row = trace->rows[event.row];
    std::fprintf(file, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f,\"name\":%s",
                 row.group, row.id, microseconds(event.begin - trace->start),
                 microseconds(event.duration), quoted(event.name).c_str());
    if (!event.caller.empty())
      std::fprintf(file, ",\"args\":{\"caller\":%s}", quoted(event.caller).c_str());
    std::fprintf(file, "},\n");
  }
}

[[gnu::destructor]] void write() {
  if (!trace) return;
  std::lock_guard lock(trace->mutex);
  if (trace->events.empty()) return;
  std::FILE* const file = std::fopen(trace->path.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "emulated GPU: %s cannot be written\n", trace->path.c_str());
    return;
  }
  std::fprintf(file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  write_rows(file);
  write_events(file);
  std::fprintf(file,
               "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"GPU\"}},\n"
               "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"host\"}}\n"
               "]}\n",
               kGpu, kHost);
  std::fclose(file);
}

}  // namespace

int trace_stream(bool stream0) {
  if (!trace) return kNoRow;
  const std::string creator = caller();
  std::lock_guard lock(trace->mutex);
  const std::string number = std::to_string(stream0 ? 0 : ++trace->streams);
  const std::size_t row = trace->rows.size();
  trace->rows.push_back({kGpu, static_cast<long>(row), "stream " + number + " of " + creator});
  return static_cast<int>(row);
}

void trace_call(const char* name) {
  if (trace) current_call = name;
}

TracedWork::TracedWork(int row, const std::string& name) {
  if (!trace || row == kNoRow || name.empty()) return;
  event_ = begin(std::unique_lock(trace->mutex), static_cast<std::size_t>(row), name);
  current_work = event_;
}

TracedWork::~TracedWork() {
  if (event_ == 0) return;
  current_work = 0;
  end(event_);
}

TracedWait::TracedWait() : event_(emulated_gpu_trace_begin(nullptr, current_call)) {}
TracedWait::~TracedWait() {
  end(event_);
}

}  // namespace emulated_gpu

std::uint64_t emulated_gpu_trace_begin(const char* row, const char* name) {
  using namespace emulated_gpu;
  if (!trace) return 0;
  std::string from = row ? "" : caller();
  std::unique_lock lock(trace->mutex);
  if (!row) {
    const std::size_t thread = row_of_this_thread();
    return begin(std::move(lock), thread, name, std::move(from));
  }
  if (current_work != 0) show_elsewhere(trace->events[current_work - 1]);
  const std::size_t named = row_of(kGpu, -1, row);
  const std::string number = std::to_string(trace->rows[named].events);
  return begin(std::move(lock), named, std::string(name) + " " + number);
}

void emulated_gpu_trace_end(std::uint64_t event) {
  emulated_gpu::end(event);
}

void emulated_gpu_watch(void (*begins)(const char* row, const char* name)) {
  if (emulated_gpu::trace) emulated_gpu::trace->begins = begins;
}
