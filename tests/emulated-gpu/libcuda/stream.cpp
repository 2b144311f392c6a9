// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libcuda/stream.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "tests/emulated-gpu/libcuda/context.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/trace.h"

namespace emulated_gpu {
namespace {

/// One lock for all queues. It is not held while work runs; speed does not matter here.
struct Queues {
  std::mutex mutex;
  std::condition_variable changed;
  bool deferred = false;
};

using Lock = std::unique_lock<std::mutex>;

Queues& queues() {
  return immortal<Queues>();
}
Handles<Stream>& streams() {
  return immortal<Handles<Stream>>();
}

thread_local Result next_work = kSuccess;

[[gnu::constructor]] void read_delays_of_environment() {
  const char* text = std::getenv("EMULATED_GPU_MODE");
  const std::string_view mode = text ? text : "eager";
  if (mode != "eager" && mode != "deferred") {
    std::fprintf(stderr, "emulated GPU: EMULATED_GPU_MODE is neither eager nor deferred\n");
    std::abort();
  }
  queues().deferred = mode == "deferred";
}

bool reached(const Ticket& ticket) {
  return !ticket.stream || ticket.stream->completed >= ticket.number;
}

bool ready(const Task& task) {
  for (const Ticket& ticket : task.after)
    if (!reached(ticket)) return false;
  return true;
}

/// Runs a stream's oldest piece of work, without holding the lock. In a lost context work does not
/// run any more.
void run_oldest(Stream& stream, Lock& lock) {
  Task task = std::move(stream.tasks.front());
  stream.tasks.pop_front();
  stream.running = true;
  Context& context = *stream.context;
  lock.unlock();
  if (context.error == kSuccess) {
    const TracedWork traced(stream.row, task.name);
    if (const Result result = task.run(); result != kSuccess) context.lose(result);
  }
  task.run = nullptr;
  lock.lock();
  stream.running = false;
  ++stream.completed;
  queues().changed.notify_all();
}

/// An eager stream's thread.
void work(Stream& stream) {
  Lock lock(queues().mutex);
  for (;;) {
    queues().changed.wait(
        lock, [&] { return stream.tasks.empty() ? stream.closed : ready(stream.tasks.front()); });
    if (stream.tasks.empty()) return;
    run_oldest(stream, lock);
  }
}

/// Waits until a point is reached. In deferred mode, runs only the work needed for that. Work only
/// waits for work submitted earlier, so this ends.
void reach(const Ticket& ticket, Lock& lock) {
  if (reached(ticket)) return;
  const DeviceAccess access;
  while (!reached(ticket)) {
    Stream& stream = *ticket.stream;
    if (!stream.deferred || stream.running) {
      queues().changed.wait(lock);
    } else if (const Task& oldest = stream.tasks.front(); ready(oldest)) {
      run_oldest(stream, lock);
    } else {
      const std::vector<Ticket> after = oldest.after;  // a copy: the task may run while unlocked
      for (const Ticket& earlier : after) reach(earlier, lock);
    }
  }
}

Ticket last(const std::shared_ptr<Stream>& stream) {
  return {stream, stream->submitted};
}

/// The points that new work has to wait for, because stream 0 and the blocking streams wait for
/// each other.
void add_stream0_order(const Stream& stream, std::vector<Ticket>& after) {
  Context& context = *stream.context;
  if (&stream != context.stream0.get()) {
    if (stream.blocking) after.push_back(last(context.stream0));
    return;
  }
  for (const auto& other : streams().all())
    if (other->context == &context && other->blocking) after.push_back(last(other));
}

void enqueue(Stream& stream, std::string name, std::function<Result()> run,
             std::vector<Ticket> after) {
  add_stream0_order(stream, after);
  stream.tasks.push_back({std::move(name), std::move(run), std::move(after)});
  ++stream.submitted;
  queues().changed.notify_all();
}

bool query_ticket(const Ticket& ticket) {
  Lock lock(queues().mutex);
  if (reached(ticket)) return true;
  Stream& stream = *ticket.stream;
  if (!stream.deferred || stream.running) return false;
  const DeviceAccess access;
  for (const Ticket& earlier : std::vector<Ticket>(stream.tasks.front().after))
    reach(earlier, lock);
  if (!stream.running && !reached(ticket)) run_oldest(stream, lock);
  return false;
}

}  // namespace

std::shared_ptr<Stream> open_stream(Context* context, bool blocking) {
  auto stream = std::make_shared<Stream>();
  stream->context = context;
  stream->blocking = blocking;
  stream->row = trace_stream(!context->stream0);
  Lock lock(queues().mutex);
  stream->deferred = queues().deferred;
  if (!stream->deferred) stream->worker = std::thread([stream] { work(*stream); });
  return stream;
}

Stream* publish_stream(std::shared_ptr<Stream> stream) {
  return streams().add(std::move(stream));
}

std::shared_ptr<Stream> find_stream(Context& context, const void* handle) {
  return handle ? streams().find(handle) : context.stream0;
}

void close_stream(const std::shared_ptr<Stream>& stream) {
  Lock lock(queues().mutex);
  reach(last(stream), lock);
  stream->closed = true;
  queues().changed.notify_all();
  lock.unlock();
  if (stream->worker.joinable()) stream->worker.join();
}

bool destroy_stream(const void* handle) {
  const auto stream = streams().find(handle);
  if (!stream) return false;
  // Its work is finished while it is still in the list, so that stream 0 keeps waiting for it. The
  // caller that removes it from the list closes it.
  finish(stream);
  if (!streams().remove(handle)) return false;
  close_stream(stream);
  return true;
}

std::size_t close_streams(Context* context) {
  return streams().release_of(context, destroy_stream);
}

std::size_t live_streams() {
  return streams().size();
}

void fail_next_work(Result error) {
  next_work = error;
}

void submit(const std::shared_ptr<Stream>& stream, std::string name, std::function<Result()> run,
            std::vector<Ticket> after) {
  if (const Result error = std::exchange(next_work, kSuccess); error != kSuccess)
    run = [error] { return error; };
  Lock lock(queues().mutex);
  enqueue(*stream, std::move(name), std::move(run), std::move(after));
}

void finish(const std::shared_ptr<Stream>& stream) {
  const TracedWait traced;
  Lock lock(queues().mutex);
  reach(last(stream), lock);
}

void finish(Context& context) {
  const TracedWait traced;
  Lock lock(queues().mutex);
  std::vector<Ticket> tickets{last(context.stream0)};
  for (const auto& stream : streams().all())
    if (stream->context == &context) tickets.push_back(last(stream));
  for (const Ticket& ticket : tickets) reach(ticket, lock);
}

bool query(const std::shared_ptr<Stream>& stream) {
  Ticket ticket;
  {
    Lock lock(queues().mutex);
    ticket = last(stream);
  }
  return query_ticket(ticket);
}

std::size_t pending_work() {
  Lock lock(queues().mutex);
  std::size_t pending = 0;
  for (const auto& stream : streams().all()) pending += stream->submitted - stream->completed;
  return pending;
}

bool set_deferred(bool deferred) {
  if (live_contexts() != 0) return false;
  Lock lock(queues().mutex);
  queues().deferred = deferred;
  return true;
}

bool deferred() {
  Lock lock(queues().mutex);
  return queues().deferred;
}

// --- events ---

namespace {

Handles<Event>& events() {
  return immortal<Handles<Event>>();
}

}  // namespace

Event* create_event(Context* context, bool timing) {
  return events().add(std::make_shared<Event>(Event{context, timing, {}, nullptr}));
}

std::shared_ptr<Event> find_event(const void* handle) {
  return events().find(handle);
}

bool destroy_event(const void* handle) {
  return events().remove(handle) != nullptr;
}

std::size_t forget_events(Context* context) {
  return events().release_of(context, destroy_event);
}

std::size_t live_events() {
  return events().size();
}

void record(Event& event, const std::shared_ptr<Stream>& stream) {
  auto time = std::make_shared<std::chrono::steady_clock::time_point>();
  auto note = [time] {
    *time = std::chrono::steady_clock::now();
    return kSuccess;
  };
  Lock lock(queues().mutex);
  enqueue(*stream, {}, note, {});
  event.ticket = last(stream);
  event.time = std::move(time);
}

void wait_for(const std::shared_ptr<Stream>& stream, const Event& event) {
  Lock lock(queues().mutex);
  if (reached(event.ticket)) return;
  enqueue(*stream, {}, [] { return kSuccess; }, {event.ticket});
}

void finish(const Event& event) {
  const TracedWait traced;
  Lock lock(queues().mutex);
  const Ticket ticket = event.ticket;
  reach(ticket, lock);
}

bool query(const Event& event) {
  Ticket ticket;
  {
    Lock lock(queues().mutex);
    ticket = event.ticket;
  }
  return query_ticket(ticket);
}

Result elapsed(const Event& start, const Event& end, float* milliseconds) {
  Lock lock(queues().mutex);
  if (!start.time || !end.time || !start.timing || !end.timing) return kInvalidHandle;
  if (!reached(start.ticket) || !reached(end.ticket)) return kNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(*end.time - *start.time).count();
  return kSuccess;
}

}  // namespace emulated_gpu

bool emulated_gpu_set_deferred(bool deferred) {
  return emulated_gpu::set_deferred(deferred);
}
