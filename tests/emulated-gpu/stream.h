// SPDX-License-Identifier: LGPL-2.1-or-later
/// Streams and events: in what order submitted work runs. control.h tells about the two modes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/emulated-gpu/driver.h"

namespace emulated_gpu {

struct Context;
struct Stream;

/// A point in a stream: reached when `number` pieces of its work are done.
struct Ticket {
  std::shared_ptr<Stream> stream;  ///< null: reached
  std::uint64_t number = 0;
};

struct Task {
  std::function<Result()> run;  ///< an error loses the context
  std::vector<Ticket> after;
};

/// All but `context` and `blocking` belong to stream.cpp and its lock.
struct Stream {
  Context* context;
  bool blocking;  ///< it and stream 0 wait for each other
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
/// Adds a stream to those that close_streams() closes, and gives its handle.
Stream* publish_stream(std::shared_ptr<Stream> stream);
/// The living stream of a handle, stream 0 for null; null if there is no such stream.
std::shared_ptr<Stream> find_stream(Context& context, const void* handle);
/// Runs what is pending, then ends the stream.
void close_stream(const std::shared_ptr<Stream>& stream);
/// False if no such stream lives.
bool destroy_stream(const void* handle);
std::size_t close_streams(Context* context);
std::size_t live_streams();

/// Queues work. If the call is struck by a late fault, the work fails instead.
void submit(const std::shared_ptr<Stream>& stream, std::function<Result()> run,
            std::vector<Ticket> after = {});
/// The error with which the calling thread's next work ends instead of running.
void fail_next_work(Result error);
/// Waits for all that has been submitted to a stream, or to all of a context, until now.
void finish(const std::shared_ptr<Stream>& stream);
void finish(Context& context);
/// Whether all is done; if not, a deferred stream runs one piece of work, so that polling ends.
bool query(const std::shared_ptr<Stream>& stream);
std::size_t pending_work();

Event* create_event(Context* context, bool timing);
std::shared_ptr<Event> find_event(const void* handle);
bool destroy_event(const void* handle);
std::size_t forget_events(Context* context);
std::size_t live_events();
void record(Event& event, const std::shared_ptr<Stream>& stream);
/// Makes a stream's further work wait for what the event has recorded until now.
void wait_for(const std::shared_ptr<Stream>& stream, const Event& event);
void finish(const Event& event);
bool query(const Event& event);
/// Milliseconds between two events; kInvalidHandle if not recorded or without timing, kNotReady.
Result elapsed(const Event& start, const Event& end, float* milliseconds);

bool set_deferred(bool deferred);
/// The mode of contexts to come, and of all that live.
bool deferred();

}  // namespace emulated_gpu
