// SPDX-License-Identifier: LGPL-2.1-or-later
/// Streams and events: in what order submitted work runs. control.h describes the two modes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

struct Context;
struct Stream;

/// A point in a stream: reached when `number` pieces of its work are done.
struct Ticket {
  std::shared_ptr<Stream> stream;  ///< null: reached
  std::uint64_t number = 0;
};

struct Task {
  std::string name;             ///< in a trace; empty: not in it
  std::function<Result()> run;  ///< an error loses the context
  std::vector<Ticket> after;
};

/// All but `context`, `blocking` and `row` belong to stream.cpp and its lock.
struct Stream {
  Context* context;
  bool blocking;  ///< it and stream 0 wait for each other
  int row;        ///< of the trace
  bool deferred = false;
  bool running = false, closed = false;
  std::uint64_t submitted = 0, completed = 0;
  std::deque<Task> tasks;
  std::thread worker;
};

struct Event {
  Context* context;
  bool timing;
  Ticket ticket;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;  ///< null: not recorded
};

std::shared_ptr<Stream> open_stream(Context* context, bool blocking);
/// Adds a stream to those that close_streams() closes, and returns its handle.
Stream* publish_stream(std::shared_ptr<Stream> stream);
/// The stream of a handle, stream 0 for null; null if there is no such stream.
std::shared_ptr<Stream> find_stream(Context& context, const void* handle);
/// Runs pending work, then closes the stream.
void close_stream(const std::shared_ptr<Stream>& stream);
/// False if there is no such stream.
bool destroy_stream(const void* handle);
std::size_t close_streams(Context* context);
std::size_t live_streams();

/// Queues work, which has this name in a trace. If the call has a late fault, the work fails
/// instead of running.
void submit(const std::shared_ptr<Stream>& stream, std::string name, std::function<Result()> run,
            std::vector<Ticket> after = {});
/// Makes the next work of the calling thread fail with this error instead of running.
void fail_next_work(Result error);
/// Waits for all work submitted until now to a stream, or to all streams of a context.
void finish(const std::shared_ptr<Stream>& stream);
void finish(Context& context);
/// Whether all work is done; if not, a deferred stream runs one piece of work, so that polling
/// ends.
bool query(const std::shared_ptr<Stream>& stream);
std::size_t pending_work();

Event* create_event(Context* context, bool timing);
std::shared_ptr<Event> find_event(const void* handle);
bool destroy_event(const void* handle);
std::size_t forget_events(Context* context);
std::size_t live_events();
void record(Event& event, const std::shared_ptr<Stream>& stream);
/// Makes further work of a stream wait for the event as recorded last.
void wait_for(const std::shared_ptr<Stream>& stream, const Event& event);
void finish(const Event& event);
bool query(const Event& event);
/// Milliseconds between two events. kInvalidHandle if one was not recorded or has no timing;
/// kNotReady if one is pending.
Result elapsed(const Event& start, const Event& end, float* milliseconds);

bool set_deferred(bool deferred);
/// The mode of all contexts, existing and new ones.
bool deferred();

}  // namespace emulated_gpu
