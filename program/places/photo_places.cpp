// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/places/photo_places.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "program/failure.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// A field of a CSV file as RFC 4180 has it.
std::string field(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// A table of the meta.
std::span<const int32_t> table(const GstStructure* fields, const char* name) {
  const GValue* value = gst_structure_get_value(fields, name);
  gsize size = 0;
  const auto* data = static_cast<const int32_t*>(
      g_bytes_get_data(static_cast<GBytes*>(g_value_get_boxed(value)), &size));
  return {data, size / sizeof(int32_t)};
}

Owned<GObject> open(const std::string& path) {
  const Owned<GObject> file(G_OBJECT(g_file_new_for_path(path.c_str())));
  GError* failure = nullptr;
  GFileOutputStream* stream = g_file_replace(G_FILE(file.get()), nullptr, FALSE,
                                             G_FILE_CREATE_REPLACE_DESTINATION, nullptr, &failure);
  const Owned<GError> error(failure);
  if (error) throw Failure(path + ": " + error->message);
  return Owned<GObject>(G_OBJECT(stream));
}

}  // namespace

PhotoPlaces::PhotoPlaces(GstElement* pipeline, const std::string& file)
    : mosaic_(gst_bin_get_by_name(GST_BIN(pipeline), "mosaic")), file_(file) {
  // No other file can be replaced by mistake.
  if (!file.empty() && !file.ends_with(".csv"))
    throw WrongUsage("--places " + file + ": the name must end in .csv");
  if (!file.empty()) {
    stream_ = open(file);
    write("seconds,row,column,x,y,width,height,photo\r\n");
  }
  const Owned<GstPad> pad(gst_element_get_static_pad(mosaic_.get(), "src"));
  gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_BUFFER, &PhotoPlaces::on_frame, this, nullptr);
}

PhotoPlaces::~PhotoPlaces() {
  if (!stream_) return;
  // Closing a stream that is cancelled leaves an older file as it is.
  const Owned<GObject> cancelled(G_OBJECT(g_cancellable_new()));
  g_cancellable_cancel(G_CANCELLABLE(cancelled.get()));
  g_output_stream_close(G_OUTPUT_STREAM(stream_.get()), G_CANCELLABLE(cancelled.get()), nullptr);
}

std::string PhotoPlaces::finish() {
  if (!stream_) return failure_;
  GError* failure = nullptr;
  if (failure_.empty() &&
      !g_output_stream_close(G_OUTPUT_STREAM(stream_.get()), nullptr, &failure)) {
    const Owned<GError> error(failure);
    failure_ = file_ + ": " + error->message;
  }
  if (failure_.empty()) stream_.reset();
  return failure_;
}

void PhotoPlaces::write(const std::string& text) {
  if (!stream_ || !failure_.empty()) return;
  GError* failure = nullptr;
  g_output_stream_write_all(G_OUTPUT_STREAM(stream_.get()), text.data(), text.size(), nullptr,
                            nullptr, &failure);
  const Owned<GError> error(failure);
  if (error) failure_ = file_ + ": " + error->message;
}

GstPadProbeReturn PhotoPlaces::on_frame(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  static_cast<PhotoPlaces*>(data)->note(pad, GST_PAD_PROBE_INFO_BUFFER(info));
  return GST_PAD_PROBE_OK;
}

void PhotoPlaces::note(GstPad* pad, GstBuffer* buffer) {
  GstCustomMeta* meta = gst_buffer_get_custom_meta(buffer, "GstMosaicTemporalMeta");
  if (!meta) return;
  const GstStructure* fields = gst_custom_meta_get_structure(meta);
  // What has not changed is the same object.
  auto* photos = static_cast<GBytes*>(g_value_get_boxed(gst_structure_get_value(fields, "photo")));
  if (photos == noted_.get()) return;
  noted_.reset(g_bytes_ref(photos));
  Tables tables{.x = table(fields, "x"), .y = table(fields, "y"), .photo = table(fields, "photo")};
  gst_structure_get(fields, "columns", G_TYPE_UINT, &tables.columns, "rows", G_TYPE_UINT,
                    &tables.rows, nullptr);
  const int32_t highest = *std::max_element(tables.photo.begin(), tables.photo.end());
  if (static_cast<size_t>(highest) >= names_.size()) read_names();
  if (static_cast<size_t>(highest) >= names_.size()) return;
  count(tables);
  if (!stream_) return;
  const Owned<GstEvent> event(gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0));
  const GstSegment* segment = nullptr;
  if (event) gst_event_parse_segment(event.get(), &segment);
  GstClockTime time = GST_CLOCK_TIME_NONE;
  if (segment) time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  write_changes(tables, GST_CLOCK_TIME_IS_VALID(time)
                            ? static_cast<double>(time) / static_cast<double>(GST_SECOND)
                            : 0);
}

void PhotoPlaces::read_names() {
  gchar** photos = nullptr;
  g_object_get(mosaic_.get(), "photos", &photos, nullptr);
  const Owned<gchar*> names(photos);
  names_.clear();
  for (gchar** name = names.get(); name && *name; ++name) names_.push_back(field(*name));
  use_.photos = static_cast<unsigned>(names_.size());
  shown_.resize(names_.size());
}

void PhotoPlaces::count(const Tables& tables) {
  for (const int32_t photo : tables.photo) use_.shown += !std::exchange(shown_[photo], 1);
  const mosaic::PhotoCounts counts = counter_.count(tables.photo, static_cast<int>(names_.size()),
                                                    static_cast<int>(tables.columns), 0);
  use_.most = std::max(use_.most, counts.most);
  if (counts.nearest != 0)
    use_.nearest = use_.nearest == 0 ? counts.nearest : std::min(use_.nearest, counts.nearest);
}

/// Writes a line for each cell that shows another photo than in the frame before.
void PhotoPlaces::write_changes(const Tables& tables, double seconds) {
  std::vector<int32_t> grid(tables.x.begin(), tables.x.end());
  grid.insert(grid.end(), tables.y.begin(), tables.y.end());
  if (grid != written_grid_) written_.clear();
  written_grid_ = std::move(grid);
  written_.resize(tables.photo.size(), -1);
  gchar time[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(time, sizeof time, "%.3f", seconds);
  std::string lines;
  for (size_t cell = 0; cell < tables.photo.size(); ++cell) {
    if (written_[cell] == tables.photo[cell]) continue;
    written_[cell] = tables.photo[cell];
    const size_t row = cell / tables.columns, column = cell % tables.columns;
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%s,%zu,%zu,%d,%d,%d,%d,", time, row, column,
                  tables.x[column], tables.y[row], tables.x[column + 1] - tables.x[column],
                  tables.y[row + 1] - tables.y[row]);
    lines += numbers + names_[tables.photo[cell]] + "\r\n";
  }
  write(lines);
}

}  // namespace mosaic_program
