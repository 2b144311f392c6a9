// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/frame_flow.h"

#include <algorithm>
#include <utility>

namespace mosaic {
namespace {

static_assert(mt::kWindowWeight == WindowAxis::kOne);

WindowAxis cut(int length, const WindowOptions& windows) {
  if (windows.size == 0 || windows.size >= length) return WindowAxis::of_space(length, 0, 0);
  const int whole = length / Raft::kMultiple * Raft::kMultiple;
  return WindowAxis::of_space(whole, windows.size, windows.overlap);
}

/// The side of a network's pictures; windows are extended to it.
int network_side(int side) {
  const int whole = (side + Raft::kMultiple - 1) / Raft::kMultiple * Raft::kMultiple;
  return std::max(whole, Raft::kMinSide);
}

mt::Planes part(const mt::Planes& picture, const Range& x, const Range& y) {
  mt::Planes part = picture;
  for (uint8_t*& plane : part.plane) plane += int64_t{y.begin} * picture.stride + x.begin;
  part.width = x.size;
  part.height = y.size;
  return part;
}

}  // namespace

FrameFlow::FrameFlow(std::shared_ptr<const RaftWeights> weights,
                     const std::shared_ptr<mt::Executor>& executor, mt::PixelSize frame,
                     const WindowOptions& windows)
    : executor_(executor),
      columns_(cut(frame.width, windows)),
      rows_(cut(frame.height, windows)),
      sums_(executor, size_t{2} * size().width * size().height) {
  for (auto& flow : flow_) flow = {executor, sums_.size()};
  for (WindowGroup& group : group_windows(columns_, rows_, windows.batch)) {
    const int count = static_cast<int>(group.windows.size());
    auto network = std::find_if(networks_.begin(), networks_.end(), [&](const Network& n) {
      return n.width == group.width && n.height == group.height;
    });
    const mt::PixelSize size{network_side(group.width), network_side(group.height)};
    if (network == networks_.end())  // the first group of a size is the largest
      network = networks_.insert(network, {.width = group.width,
                                           .height = group.height,
                                           .raft = Raft(weights, executor, size, count),
                                           .flow = FlowField(executor, size, count)});
    groups_.push_back({.windows = std::move(group),
                       .network = static_cast<int>(network - networks_.begin()),
                       .before = RaftFeatures(executor, size, count),
                       .newest = RaftFeatures(executor, size, count)});
  }
  upload_weights();
}

uint64_t FrameFlow::memory(mt::PixelSize frame, const WindowOptions& windows) {
  // Of a pixel: layers of a network, most of them at half its size; features of two frames, at an
  // eighth; sums and flow.
  constexpr uint64_t kOfNetwork = 270, kOfFeatures = 90, kOfFrame = 40;
  const WindowAxis columns = cut(frame.width, windows), rows = cut(frame.height, windows);
  uint64_t bytes = kOfFrame * frame.width * frame.height;
  std::vector<mt::PixelSize> sizes;
  for (const WindowGroup& group : group_windows(columns, rows, windows.batch)) {
    const mt::PixelSize size{network_side(group.width), network_side(group.height)};
    const uint64_t pixels = uint64_t(size.width) * size.height * group.windows.size();
    bytes += kOfFeatures * pixels;
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) continue;
    sizes.push_back(size);
    bytes += kOfNetwork * pixels;
  }
  return bytes;
}

void FrameFlow::upload_weights() {
  std::vector<uint16_t> all;
  std::vector<size_t> begins;
  for (const WindowAxis* axis : {&columns_, &rows_})
    for (int i = 0; i < static_cast<int>(axis->windows().size()); ++i) {
      begins.push_back(all.size());
      all.insert(all.end(), axis->weights(i).begin(), axis->weights(i).end());
    }
  weights_ = {executor_, all.size()};
  executor_->to_device(weights_.data(), all.data(), all.size() * sizeof(uint16_t));
  executor_->wait();
  for (size_t i = 0; i < begins.size(); ++i)
    (i < columns_.windows().size() ? column_weights_ : row_weights_)
        .push_back(weights_.data() + begins[i]);
}

void FrameFlow::add_frame(const mt::Planes& picture) {
  for (Group& group : groups_) {
    std::swap(group.before, group.newest);
    pictures_.clear();
    for (const WindowGroup::Window& window : group.windows.windows)
      pictures_.push_back(
          part(picture, columns_.windows()[window.column], rows_.windows()[window.row]));
    networks_[group.network].raft.encode(pictures_, group.newest);
  }
}

void FrameFlow::estimate(Direction direction, int iterations) {
  for (const Group& group : groups_) {
    const bool forward = direction == Direction::kForward;
    Network& network = networks_[group.network];
    network.raft.estimate(forward ? group.before : group.newest,
                          forward ? group.newest : group.before, nullptr, iterations, network.flow);
    add(group);
  }
  mt::DeviceBuffer<int32_t>& flow = flow_[static_cast<size_t>(direction)];
  executor_->launch(mt::JoinWindows{sums_.data(), size().width, flow.data()}, size().height);
}

/// Adds the flow of a group's windows to sums_.
void FrameFlow::add(const Group& group) {
  const Network& network = networks_[group.network];
  const mt::PixelSize of_network = network.raft.size();
  for (size_t i = 0; i < group.windows.windows.size(); ++i) {
    const auto [column, row] = group.windows.windows[i];
    const Range x = columns_.windows()[column], y = rows_.windows()[row];
    executor_->launch(
        mt::AddWindow{
            .flow = network.flow.pixels() + int64_t{2} * i * of_network.width * of_network.height,
            .pitch = of_network.width,
            .width = x.size,
            .height = y.size,
            .column_weights = column_weights_[column],
            .row_weights = row_weights_[row],
            .sums = sums_.data() + int64_t{2} * (int64_t{y.begin} * size().width + x.begin),
            .sums_pitch = size().width},
        y.size);
  }
}

}  // namespace mosaic
