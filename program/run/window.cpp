// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/window.h"

#include <gst/video/navigation.h>
#include <gst/video/videooverlay.h>

#include <string>
#include <vector>

#include "gst/pointers.h"
#include "program/failure.h"
#ifdef MOSAICTEMPORAL_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#endif

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// Whether an element can reach its screen: it connects when it is made ready.
bool reaches_screen(const std::string& factory) {
  const Owned<GstElement> sink(gst_element_factory_make(factory.c_str(), nullptr));
  if (!sink) return false;
  gst_object_ref_sink(sink.get());
  const bool can = gst_element_set_state(sink.get(), GST_STATE_READY) != GST_STATE_CHANGE_FAILURE;
  gst_element_set_state(sink.get(), GST_STATE_NULL);
  return can;
}

#ifdef MOSAICTEMPORAL_X11
/// A connection to the X server that lasts as long as the program: a server without another client
/// starts anew, or ends, when the last one leaves it.
/// @return null: there is none
Display* keep_connection() {
  static Display* const display = XOpenDisplay(nullptr);
  return display;
}
#else
void keep_connection() {}
#endif

bool is_set(const char* variable) {
  const gchar* value = g_getenv(variable);
  return value && *value;
}

}  // namespace

std::string find_screen() {
  keep_connection();
  std::vector<std::string> choices;
  if (is_set("WAYLAND_DISPLAY")) choices.emplace_back("waylandsink");
  if (is_set("DISPLAY"))
    for (const char* factory : {"xvimagesink", "glimagesink", "ximagesink"})
      choices.emplace_back(factory);
  const bool is_named = !choices.empty();
  if (!is_named) choices.emplace_back("kmssink");  // the console of a machine without a desktop
  for (const std::string& factory : choices)
    if (reaches_screen(factory)) return factory;
  throw Failure(is_named ? "the screen that DISPLAY or WAYLAND_DISPLAY names cannot be reached"
                         : "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set (use "
                           "--output FILE, or over ssh: ssh -X)");
}

#ifdef MOSAICTEMPORAL_X11

OutputSize screen_size() {
  Display* display = keep_connection();
  if (!display) return {};
  const int screen = DefaultScreen(display);
  return {DisplayWidth(display, screen), DisplayHeight(display, screen)};
}

/// A black window of the size of the screen, without a frame and without the mouse's arrow.
struct Window::Covering {
  Covering() : display(XOpenDisplay(nullptr)) {
    if (!display) throw Failure("--fullscreen: the X server cannot be reached");
    const int screen = DefaultScreen(display);
    const unsigned long black = BlackPixel(display, screen);
    window = XCreateSimpleWindow(display, RootWindow(display, screen), 0, 0,
                                 DisplayWidth(display, screen), DisplayHeight(display, screen), 0,
                                 black, black);
    XStoreName(display, window, "mosaic-temporal");
    closing = XInternAtom(display, "WM_DELETE_WINDOW", False);
    // For window managers, by the Extended Window Manager Hints; without one its size is enough.
    const Atom state = XInternAtom(display, "_NET_WM_STATE", False);
    const Atom fullscreen = XInternAtom(display, "_NET_WM_STATE_FULLSCREEN", False);
    XChangeProperty(display, window, state, XA_ATOM, 32, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(&fullscreen), 1);
    const Pixmap empty = XCreatePixmap(display, window, 1, 1, 1);
    XGCValues values{};
    const GC context = XCreateGC(display, empty, 0, &values);
    XFillRectangle(display, empty, context, 0, 0, 1, 1);
    XColor colour{};
    const Cursor nothing = XCreatePixmapCursor(display, empty, empty, &colour, &colour, 0, 0);
    XDefineCursor(display, window, nothing);
    XFreeCursor(display, nothing);
    XFreeGC(display, context);
    XFreePixmap(display, empty);
    // Else a window manager that is asked to close it ends the connection, and with it the program.
    XSetWMProtocols(display, window, &closing, 1);
    XMapRaised(display, window);
    XSync(display, False);
  }
  ~Covering() {
    XDestroyWindow(display, window);
    XCloseDisplay(display);
  }
  Covering(const Covering&) = delete;
  Covering& operator=(const Covering&) = delete;

  bool is_closed() const {
    bool closed = false;
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      closed = closed || (event.type == ClientMessage &&
                          static_cast<Atom>(event.xclient.data.l[0]) == closing);
    }
    return closed;
  }

  Display* display;
  ::Window window = 0;
  Atom closing = 0;
};

#else

OutputSize screen_size() {
  return {};
}

struct Window::Covering {
  Covering() {
    throw Failure("--fullscreen: this program was built without libX11, which that needs");
  }
  bool is_closed() const { return false; }
  guintptr window = 0;
};

#endif

Window::Window(GstElement* pipeline, const Options& options)
    : is_shown_(options.show), pipeline_(pipeline) {
  // Another kind of screen has no windows, or an element with a property for this.
  const Owned<GstElement> sink(gst_bin_get_by_interface(GST_BIN(pipeline), GST_TYPE_VIDEO_OVERLAY));
  const GstElementFactory* factory = sink ? gst_element_get_factory(sink.get()) : nullptr;
  const std::string name = factory ? GST_OBJECT_NAME(factory) : "";
  if (!options.fullscreen ||
      (name != "xvimagesink" && name != "ximagesink" && name != "glimagesink"))
    return;
  covering_ = new Covering;
  const Owned<GstBus> bus(gst_element_get_bus(pipeline));
  gst_bus_set_sync_handler(bus.get(), &Window::on_message, this, nullptr);
}

Window::~Window() {
  if (!covering_) return;
  const Owned<GstBus> bus(gst_element_get_bus(pipeline_));
  gst_bus_set_sync_handler(bus.get(), nullptr, nullptr, nullptr);
  delete covering_;
}

GstBusSyncReply Window::on_message(GstBus*, GstMessage* message, gpointer data) {
  if (gst_is_video_overlay_prepare_window_handle_message(message))
    gst_video_overlay_set_window_handle(GST_VIDEO_OVERLAY(GST_MESSAGE_SRC(message)),
                                        static_cast<Window*>(data)->covering_->window);
  return GST_BUS_PASS;
}

bool Window::is_closed() const {
  return covering_ && covering_->is_closed();
}

bool Window::is_closed_by(GstMessage* message) const {
  if (!is_shown_) return false;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR &&
      GST_IS_VIDEO_OVERLAY(GST_MESSAGE_SRC(message))) {
    GError* told = nullptr;
    gst_message_parse_error(message, &told, nullptr);
    const Owned<GError> error(told);
    return g_error_matches(error.get(), GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  }
  if (gst_navigation_message_get_type(message) != GST_NAVIGATION_MESSAGE_EVENT) return false;
  GstEvent* given = nullptr;
  if (!gst_navigation_message_parse_event(message, &given)) return false;
  const Owned<GstEvent> event(given);
  const gchar* key = nullptr;
  return gst_navigation_event_get_type(event.get()) == GST_NAVIGATION_EVENT_KEY_PRESS &&
         gst_navigation_event_parse_key_event(event.get(), &key) && key &&
         (g_str_equal(key, "Escape") || g_str_equal(key, "q"));
}

}  // namespace mosaic_program
