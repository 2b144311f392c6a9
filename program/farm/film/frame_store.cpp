// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/film/frame_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "program/failure.h"

namespace mosaic_program {

bool FrameStore::write(GstCaps* caps, GstBuffer* frame) {
  if (failure_.empty() && pack(caps, frame)) write_packed();
  if (failure_.empty()) ++count_;
  return failure_.empty();
}

bool FrameStore::pack(GstCaps* caps, GstBuffer* frame) {
  if (!caps_) {
    caps_.reset(gst_caps_ref(caps));
    if (!gst_video_info_from_caps(&info_, caps)) failure_ = path_ + ": unknown format of frames";
    if (!failure_.empty()) return false;
    packed_.reset(gst_buffer_new_allocate(nullptr, info_.size, nullptr));
    gst_buffer_memset(packed_.get(), 0, 0, info_.size);
  }
  GstVideoFrame from, to;
  if (!gst_caps_is_equal(caps, caps_.get()) ||
      !gst_video_frame_map(&from, &info_, frame, GST_MAP_READ)) {
    failure_ = path_ + ": the format of the frames changes";
    return false;
  }
  gst_video_frame_map(&to, &info_, packed_.get(), GST_MAP_WRITE);
  gst_video_frame_copy(&to, &from);
  gst_video_frame_unmap(&to);
  gst_video_frame_unmap(&from);
  return true;
}

void FrameStore::write_packed() {
  if (file_.get() < 0)
    file_ = mosaic::Descriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file_.get() < 0) {
    failure_ = path_ + ": " + g_strerror(errno);
    return;
  }
  GstMapInfo map;
  gst_buffer_map(packed_.get(), &map, GST_MAP_READ);
  size_t done = 0;
  while (failure_.empty() && done < map.size) {
    const ssize_t size = ::write(file_.get(), map.data + done, map.size - done);
    if (size >= 0) done += static_cast<size_t>(size);
    if (size < 0 && errno != EINTR) failure_ = path_ + ": " + g_strerror(errno);
  }
  gst_buffer_unmap(packed_.get(), &map);
}

StoredFrames::StoredFrames(std::string path, size_t frame_bytes)
    : path_(std::move(path)),
      file_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)),
      frame_(frame_bytes) {
  if (file_.get() < 0) throw TryAgain(path_ + ": " + g_strerror(errno));
}

std::span<const uint8_t> StoredFrames::read(int64_t number) {
  size_t done = 0;
  while (done < frame_.size()) {
    const off_t from =
        static_cast<off_t>(number) * static_cast<off_t>(frame_.size()) + static_cast<off_t>(done);
    const ssize_t size = pread(file_.get(), frame_.data() + done, frame_.size() - done, from);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0)
      throw TryAgain(path_ + ": " + (size < 0 ? g_strerror(errno) : "it ends too early"));
    done += static_cast<size_t>(size);
  }
  return frame_;
}

}  // namespace mosaic_program
