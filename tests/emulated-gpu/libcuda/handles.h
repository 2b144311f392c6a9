// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace emulated_gpu {

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
