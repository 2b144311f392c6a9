// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/running/watchdog.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Whether another thread of this process runs, waits for a processor or for a disk.
bool is_busy() {
  const std::string self = std::to_string(getpid());
  std::error_code error;
  for (std::filesystem::directory_iterator task("/proc/self/task", error), end;
       !error && task != end; task.increment(error)) {
    if (task->path().filename() == self) continue;
    std::ifstream file(task->path() / "stat");
    std::string line;
    std::getline(file, line);
    // "12 (name) R …"; the name may contain anything.
    const size_t name_end = line.rfind(')');
    if (name_end == line.npos || name_end + 2 >= line.size()) continue;
    if (const char state = line[name_end + 2]; state == 'R' || state == 'D') return true;
  }
  return false;
}

std::string kind_of(GstElement* element) {
  GstElementFactory* factory = gst_element_get_factory(element);
  return factory ? GST_OBJECT_NAME(factory) : GST_OBJECT_NAME(element);
}

/// Whether a thread is in there with something that the element does not take.
bool is_full(GstPad* pad) {
  GRecMutex* lock = GST_PAD_GET_STREAM_LOCK(pad);
  if (!g_rec_mutex_trylock(lock)) return true;
  g_rec_mutex_unlock(lock);
  return false;
}

/// The sink pad of an element that has got neither data nor an end; null: none.
Owned<GstPad> hungry_pad(GstElement* element) {
  Owned<GstPad> hungry;
  GST_OBJECT_LOCK(element);
  for (GList* l = element->sinkpads; l && !hungry; l = l->next)
    if (GstPad* pad = GST_PAD(l->data); !GST_PAD_IS_EOS(pad) && !is_full(pad))
      hungry.reset(GST_PAD(gst_object_ref(pad)));
  GST_OBJECT_UNLOCK(element);
  return hungry;
}

/// The element that feeds a pad, inside bins; null: none.
Owned<GstElement> feeder(GstPad* pad) {
  Owned<GstPad> from(gst_pad_get_peer(pad));
  while (from) {
    if (GST_IS_GHOST_PAD(from.get())) {
      from.reset(gst_ghost_pad_get_target(GST_GHOST_PAD(from.get())));
      continue;
    }
    const Owned<GstObject> parent(gst_object_get_parent(GST_OBJECT(from.get())));
    if (parent && GST_IS_ELEMENT(parent.get()))
      return Owned<GstElement>(GST_ELEMENT(gst_object_ref(parent.get())));
    if (!parent || !GST_IS_GHOST_PAD(parent.get())) break;
    // The inner side of a bin's sink pad: what feeds the bin is on its outer side.
    from.reset(gst_pad_get_peer(GST_PAD(parent.get())));
  }
  return nullptr;
}

/// Whether the mosaic is being drawn, or something after it is being coded or written. Only these
/// take long for one picture.
bool is_at_work(GstElement* mosaic) {
  Owned<GstElement> element(GST_ELEMENT(gst_object_ref(mosaic)));
  const Owned<GstPad> entry(gst_element_get_static_pad(mosaic, "sink"));
  if (is_full(entry.get())) return true;
  while (element) {
    GST_OBJECT_LOCK(element.get());
    GList* sources = element->srcpads;
    const Owned<GstPad> source(sources ? GST_PAD(gst_object_ref(sources->data)) : nullptr);
    GST_OBJECT_UNLOCK(element.get());
    const Owned<GstPad> next(source ? gst_pad_get_peer(source.get()) : nullptr);
    if (next && is_full(next.get())) return true;
    element.reset(next ? gst_pad_get_parent_element(next.get()) : nullptr);
  }
  return false;
}

/// What is asked for at a pad of a muxer.
std::string stream_of(GstPad* pad) {
  const std::string name = GST_PAD_NAME(pad);
  if (name.starts_with("video_")) return "the picture";
  if (name.starts_with("audio_")) return "the sound";
  if (name.starts_with("subtitle_")) return "the subtitles";
  return {};
}

GstPadProbeReturn count(GstPad*, GstPadProbeInfo*, gpointer passed) {
  static_cast<std::atomic<guint64>*>(passed)->fetch_add(1, std::memory_order_relaxed);
  return GST_PAD_PROBE_OK;
}

}  // namespace

Watchdog::Watchdog(GstElement* pipeline)
    : pipeline_(pipeline), mosaic_(gst_bin_get_by_name(GST_BIN(pipeline), "mosaic")) {
  const Owned<GstIterator> elements(gst_bin_iterate_recurse(GST_BIN(pipeline)));
  gst_iterator_foreach(
      elements.get(),
      [](const GValue* value, gpointer self) {
        static_cast<Watchdog*>(self)->watch(GST_ELEMENT(g_value_get_object(value)));
      },
      this);
  g_signal_connect(pipeline, "deep-element-added",
                   G_CALLBACK(+[](GstBin*, GstBin*, GstElement* element, gpointer self) {
                     static_cast<Watchdog*>(self)->watch(element);
                   }),
                   this);
}

void Watchdog::watch(GstElement* element) {
  g_signal_connect(element, "pad-added", G_CALLBACK(+[](GstElement*, GstPad* pad, gpointer self) {
                     static_cast<Watchdog*>(self)->watch(pad);
                   }),
                   this);
  GST_OBJECT_LOCK(element);
  GList* pads = g_list_copy_deep(
      element->srcpads, [](gconstpointer pad, gpointer) { return gst_object_ref(gpointer(pad)); },
      nullptr);
  GST_OBJECT_UNLOCK(element);
  for (GList* l = pads; l; l = l->next) watch(GST_PAD(l->data));
  g_list_free_full(pads, gst_object_unref);
}

void Watchdog::watch(GstPad* pad) {
  if (GST_PAD_IS_SINK(pad)) return;
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM, count, &passed_, nullptr);
}

void Watchdog::look() {
  const guint64 passed = passed_;
  if (passed != seen_)
    intervals_ = 0;
  else if (!is_busy() || !is_at_work(mosaic_.get()))
    ++intervals_;
  seen_ = passed;
}

std::string Watchdog::what_waits(const std::string& input) const {
  const Owned<GstIterator> sinks(gst_bin_iterate_sinks(GST_BIN(pipeline_)));
  GValue value = G_VALUE_INIT;
  std::string text;
  while (text.empty() && gst_iterator_next(sinks.get(), &value) == GST_ITERATOR_OK) {
    Owned<GstElement> element(GST_ELEMENT(gst_object_ref(g_value_get_object(&value))));
    std::string stream;
    for (Owned<GstPad> pad = hungry_pad(element.get()); pad; pad = hungry_pad(element.get())) {
      if (stream.empty() && !stream_of(pad.get()).empty())
        stream = kind_of(element.get()) + " waits for " + stream_of(pad.get()) + ", but ";
      Owned<GstElement> next = feeder(pad.get());
      if (!next) break;
      element = std::move(next);
    }
    const bool is_source = !element->sinkpads;
    text = stream + (is_source ? "nothing comes from " + input + " (" + kind_of(element.get()) + ")"
                               : kind_of(element.get()) + " does not go on");
    g_value_reset(&value);
  }
  g_value_unset(&value);
  return text;
}

}  // namespace mosaic_program
