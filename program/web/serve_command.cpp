// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/serve_command.h"

#include <glib-unix.h>
#include <glib.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "gst/pointers.h"
#include "mosaic/base/error.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/options/command_words.h"
#include "program/progress.h"
#include "program/web/folder.h"
#include "program/web/web_files.h"
#ifdef MOSAICTEMPORAL_SOUP
#include "program/web/http_server.h"
#endif

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

std::atomic<bool> interrupted = false;

constexpr char kSummary[] =
    "Shows a mosaic in a browser, without sound. Wheel or fingers zoom from the whole picture "
    "into a photo. Make both files before: mosaic-temporal pack PHOTOS -o PACK.mospack, then "
    "mosaic-temporal INPUT --tiles PACK.mospack -o FILM.mosaic."
#ifndef MOSAICTEMPORAL_SOUP
    " This program was built without libsoup 3 and cannot serve; it writes the page with --output."
#endif
    ;

struct Arguments {
  std::string film, pack;
  std::optional<std::string> folder;  ///< to write the page into; else it is served
  int port = 8080;
  bool is_public = false, quiet = false;
};

struct Free {
  void operator()(GMainLoop* loop) const { g_main_loop_unref(loop); }
};

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  gchar *folder = nullptr, **files = nullptr;
  gint port = arguments.port;
  gboolean is_public = FALSE, quiet = FALSE;
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &folder,
       "Write the page, the film and all photos of the pack into a new folder, for any web server",
       "FOLDER"},
      {"port", 'p', 0, G_OPTION_ARG_INT, &port, "The port; 0: any free one (default: 8080)", "N"},
      {"public", 0, 0, G_OPTION_ARG_NONE, &is_public,
       "Let other machines connect, too, without a password", nullptr},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Show no progress", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, nullptr,
       "FILM.mosaic PACK.mospack"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  read_command_words("serve", kSummary, entries, argc, argv);
  const Owned<gchar> output(folder);
  const Owned<gchar*> names(files);
  if (!files || g_strv_length(files) != 2)
    throw WrongUsage("serve: name a film and a pack: serve FILM.mosaic PACK.mospack");
  if (port < 0 || port > 65535)
    throw WrongUsage("--port " + std::to_string(port) + ": use 0 to 65535");
  arguments.film = files[0];
  arguments.pack = files[1];
  if (folder) arguments.folder = folder;
  while (arguments.folder && arguments.folder->ends_with('/')) arguments.folder->pop_back();
  if (arguments.folder && arguments.folder->empty())
    throw WrongUsage("serve: name a new folder: --output FOLDER");
  arguments.port = port;
  arguments.is_public = is_public;
  arguments.quiet = quiet;
  return arguments;
}

int write_files(const WebFiles& files, const Arguments& arguments, Progress& progress) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, [](int) { interrupted = true; });
  try {
    write_folder(
        files, *arguments.folder,
        [&](int done, int total) {
          progress.prepare("writing the page: " + std::to_string(int64_t{100} * done / total) +
                           " %");
        },
        interrupted);
  } catch (const mosaic::Error& error) {
    if (error.kind() != mosaic::Error::Kind::kCancelled) throw Failure(error.what());
    progress.say("stopped; nothing was written");
    return kInterrupted;
  }
  progress.say("a page with " + std::to_string(files.photos()) + " photos: " + *arguments.folder);
  return kDone;
}

#ifdef MOSAICTEMPORAL_SOUP
int serve(const WebFiles& files, const Arguments& arguments, Progress& progress) {
  const std::unique_ptr<GMainLoop, Free> loop(g_main_loop_new(nullptr, FALSE));
  const auto quit = [](gpointer data) {
    interrupted = true;  // photos that are being prepared, too
    g_main_loop_quit(static_cast<GMainLoop*>(data));
    return gboolean{G_SOURCE_CONTINUE};  // the loop outlives the server
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) g_unix_signal_add(signal, +quit, loop.get());
  const HttpServer server(files, arguments.port, arguments.is_public);
  progress.say("open " + server.address() + " in a browser; Ctrl-C ends");
  g_main_loop_run(loop.get());
  return kDone;
}
#else
int serve(const WebFiles&, const Arguments&, Progress&) {
  throw Failure(
      "this program was built without libsoup 3 and cannot serve; with --output FOLDER it writes "
      "the page as files");
}
#endif

}  // namespace

int serve_command(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  // Where the decoder is that belongs to the plugin.
  g_setenv("MOSAICTEMPORAL_DECODER", decoder_program().c_str(), FALSE);
  Progress progress(arguments.quiet, GST_CLOCK_TIME_NONE);
  const WebFiles files(arguments.film, arguments.pack, interrupted);
  return arguments.folder ? write_files(files, arguments, progress)
                          : serve(files, arguments, progress);
}

}  // namespace mosaic_program
