// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/mixed_sound.h"

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Of the sound at an element's pad; 0: not known.
int channels_at(GstElement* element, const char* pad_name) {
  const Owned<GstPad> pad(gst_element_get_static_pad(element, pad_name));
  const Owned<GstCaps> caps(pad ? gst_pad_get_current_caps(pad.get()) : nullptr);
  int channels = 0;
  if (caps) gst_structure_get_int(gst_caps_get_structure(caps.get(), 0), "channels", &channels);
  return channels;
}

}  // namespace

std::string warning_of_mixed_sound(GstElement* pipeline) {
  std::string warning;
  const Owned<GstIterator> converters(
      gst_bin_iterate_all_by_element_factory_name(GST_BIN(pipeline), "audioconvert"));
  gst_iterator_foreach(
      converters.get(),
      [](const GValue* value, gpointer data) {
        auto* converter = static_cast<GstElement*>(g_value_get_object(value));
        const int in = channels_at(converter, "sink"), out = channels_at(converter, "src");
        if (out > 0 && out < in)
          *static_cast<std::string*>(data) = "the sound's " + std::to_string(in) +
                                             " channels were mixed to " + std::to_string(out) +
                                             ": its encoder takes no more in this order";
      },
      &warning);
  return warning;
}

}  // namespace mosaic_program
