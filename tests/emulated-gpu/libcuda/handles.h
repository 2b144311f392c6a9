// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace emulated_gpu {

struct Context;

/// The existing objects of one kind; a handle is an object's address. T has `Context* context`.
template <class T>
class Handles {
 public:
  T* add(std::shared_ptr<T> object) {
    std::lock_guard lock(mutex_);
    T* handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// Null if there is no such object.
  std::shared_ptr<T> find(const void* handle) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// Removes an object and returns it; null if there is none.
  std::shared_ptr<T> remove(const void* handle) {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  std::vector<std::shared_ptr<T>> all() const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> list;
    for (const auto& entry : objects_) list.push_back(entry.second);
    return list;
  }

  /// Releases every object of a context. Returns how many there were, without those that another
  /// thread released meanwhile.
  /// @param release returns whether there was an object with this handle
  std::size_t release_of(const Context* context, bool (*release)(const void* handle)) const {
    std::size_t released = 0;
    for (const auto& object : all())
      if (object->context == context && release(object.get())) ++released;
    return released;
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return objects_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::map<const void*, std::shared_ptr<T>> objects_;
};

/// An object that is never destroyed: threads and exit handlers may outlive static objects.
template <class T>
T& immortal() {
  static T* object = new T;
  return *object;
}

}  // namespace emulated_gpu
