// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/http_server.h"

#include <libsoup/soup.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "mosaic/base/error.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

constexpr size_t kPiece = size_t{1} << 18;  // of a film that is read at once, bytes
constexpr int kThreads = 4;                 // that prepare photos: browsers ask for six at a time
constexpr char kMayBeKept[] = "max-age=86400", kMayNotBeKept[] = "no-cache";

/// A request that a thread answers.
struct Request {
  const WebFiles* files;
  SoupServerMessage* message;  ///< paused; a reference
  std::string name;
  std::optional<WebFiles::File> file;
  std::string failure;
};

/// Ends the connection of an answer that cannot be given whole, so that it is not taken for one.
void cut_off(SoupServerMessage* message) {
  const auto close = [](gpointer data) {
    auto* of = static_cast<SoupServerMessage*>(data);
    if (GIOStream* connection = soup_server_message_steal_connection(of)) {
      g_io_stream_close(connection, nullptr, nullptr);
      g_object_unref(connection);
    }
    g_object_unref(of);
    return gboolean{G_SOURCE_REMOVE};
  };
  g_idle_add(+close, g_object_ref(message));
}

/// Sends the next piece of a film when the one before has been written.
struct FilmSending {
  const mosaic::RegularFile* film;
  size_t at = 0;

  void send_more(SoupServerMessage* message) {
    SoupMessageBody* body = soup_server_message_get_response_body(message);
    if (at == film->size()) {
      soup_message_body_complete(body);
      return soup_server_message_unpause(message);
    }
    std::vector<uint8_t> piece(std::min(kPiece, film->size() - at));
    size_t got = 0;
    try {
      got = mosaic::read_at(film->fd(), piece.data(), piece.size(), at);
    } catch (const mosaic::Error& error) {
      g_warning("the film cannot be read: %s", error.what());
    }
    if (got == 0) return cut_off(message);
    at += got;
    soup_message_body_append(body, SOUP_MEMORY_COPY, piece.data(), got);
    soup_server_message_unpause(message);
  }
};

void send_film(SoupServerMessage* message, const mosaic::RegularFile& film) {
  SoupMessageHeaders* headers = soup_server_message_get_response_headers(message);
  soup_message_headers_set_content_length(headers, static_cast<goffset>(film.size()));
  soup_message_body_set_accumulate(soup_server_message_get_response_body(message), FALSE);
  auto* sending = new FilmSending{&film};
  const auto more = [](SoupServerMessage* from, gpointer data) {
    static_cast<FilmSending*>(data)->send_more(from);
  };
  const auto free = [](gpointer data, GClosure*) { delete static_cast<FilmSending*>(data); };
  g_signal_connect_data(message, "wrote-headers", G_CALLBACK(+more), sending, +free,
                        GConnectFlags{});
  g_signal_connect(message, "wrote-chunk", G_CALLBACK(+more), sending);
}

/// Sends what a thread has prepared. Runs in the main context.
gboolean answer(gpointer data) {
  const std::unique_ptr<Request> request(static_cast<Request*>(data));
  SoupServerMessage* message = request->message;
  SoupMessageHeaders* headers = soup_server_message_get_response_headers(message);
  if (!request->failure.empty()) {
    g_warning("%s: %s", request->name.c_str(), request->failure.c_str());
    soup_server_message_set_status(message, SOUP_STATUS_INTERNAL_SERVER_ERROR, nullptr);
  } else if (!request->file) {
    soup_server_message_set_status(message, SOUP_STATUS_NOT_FOUND, nullptr);
  } else {
    const WebFiles::File& file = *request->file;
    soup_server_message_set_status(message, SOUP_STATUS_OK, nullptr);
    soup_message_headers_replace(headers, "Cache-Control",
                                 file.may_be_kept ? kMayBeKept : kMayNotBeKept);
    soup_message_headers_replace(headers, "X-Content-Type-Options", "nosniff");
    soup_message_headers_set_content_type(headers, file.type, nullptr);
    if (file.is_film)
      send_film(message, request->files->film());
    else
      soup_server_message_set_response(message, file.type, SOUP_MEMORY_COPY,
                                       reinterpret_cast<const char*>(file.bytes.data()),
                                       file.bytes.size());
  }
  soup_server_message_unpause(message);
  g_object_unref(message);
  return G_SOURCE_REMOVE;
}

/// Prepares a file. Runs in a thread.
void prepare(gpointer data, gpointer) {
  auto* request = static_cast<Request*>(data);
  try {
    request->file = request->files->get(request->name);
  } catch (const std::exception& error) {
    request->failure = error.what();
  }
  g_idle_add(answer, request);
}

}  // namespace

struct HttpServer::Impl {
  const WebFiles& files;
  SoupServer* server = soup_server_new("server-header", "mosaic-temporal ", nullptr);
  GThreadPool* threads = g_thread_pool_new(prepare, nullptr, kThreads, FALSE, nullptr);

  static void handle(SoupServer*, SoupServerMessage* message, const char* path, GHashTable*,
                     gpointer data) {
    auto* self = static_cast<Impl*>(data);
    const char* method = soup_server_message_get_method(message);
    if (method != SOUP_METHOD_GET && method != SOUP_METHOD_HEAD) {
      soup_server_message_set_status(message, SOUP_STATUS_METHOD_NOT_ALLOWED, nullptr);
      return;
    }
    soup_server_message_pause(message);
    auto* request = new Request{&self->files,
                                SOUP_SERVER_MESSAGE(g_object_ref(message)),
                                path[0] == '/' ? path + 1 : path,
                                {},
                                {}};
    g_thread_pool_push(self->threads, request, nullptr);
  }
};

HttpServer::HttpServer(const WebFiles& files, int port, bool is_public)
    : impl_(std::make_unique<Impl>(files)) {
  soup_server_add_handler(impl_->server, nullptr, Impl::handle, impl_.get(), nullptr);
  GError* error = nullptr;
  const auto on = static_cast<guint>(port);
  const bool listens =
      is_public ? soup_server_listen_all(impl_->server, on, SoupServerListenOptions{}, &error)
                : soup_server_listen_local(impl_->server, on, SoupServerListenOptions{}, &error);
  if (listens) return;
  const std::string why = error->message;
  g_error_free(error);
  g_thread_pool_free(impl_->threads, TRUE, TRUE);
  g_object_unref(impl_->server);
  throw Failure("port " + std::to_string(port) + " cannot be used: " + why +
                "; choose another with --port");
}

HttpServer::~HttpServer() {
  soup_server_disconnect(impl_->server);
  g_thread_pool_free(impl_->threads, FALSE, TRUE);
  while (g_main_context_iteration(nullptr, FALSE)) {
  }
  g_object_unref(impl_->server);
}

std::string HttpServer::address() const {
  GSList* uris = soup_server_get_uris(impl_->server);
  const int port = uris ? g_uri_get_port(static_cast<GUri*>(uris->data)) : 0;
  g_slist_free_full(uris, reinterpret_cast<GDestroyNotify>(g_uri_unref));
  return "http://localhost:" + std::to_string(port) + "/";
}

}  // namespace mosaic_program
