// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/http_server.h"

#include <libsoup/soup.h>

#include <algorithm>
#include <exception>
#include <utility>
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
  const bool* is_ending;       ///< of the server; read in the main context
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

/// Sends a film piece by piece. Each has its turn in the main context, so that other requests have
/// theirs.
class FilmSending {
 public:
  static void begin(SoupServerMessage* message, const mosaic::RegularFile& film) {
    SoupMessageHeaders* headers = soup_server_message_get_response_headers(message);
    soup_message_headers_set_content_length(headers, static_cast<goffset>(film.size()));
    soup_message_body_set_accumulate(soup_server_message_get_response_body(message), FALSE);
    auto* sending = new FilmSending(message, film);
    const auto more = [](SoupServerMessage*, gpointer data) {
      static_cast<FilmSending*>(data)->schedule();
    };
    const auto stop = [](SoupServerMessage*, gpointer data) {
      static_cast<FilmSending*>(data)->stop();
    };
    const auto free = [](gpointer data, GClosure*) { delete static_cast<FilmSending*>(data); };
    g_signal_connect_data(message, "wrote-headers", G_CALLBACK(+more), sending, +free,
                          GConnectFlags{});
    g_signal_connect(message, "wrote-chunk", G_CALLBACK(+more), sending);
    g_signal_connect(message, "finished", G_CALLBACK(+stop), sending);
    g_signal_connect(message, "disconnected", G_CALLBACK(+stop), sending);
  }

 private:
  FilmSending(SoupServerMessage* message, const mosaic::RegularFile& film)
      : message_(message), film_(film) {}
  ~FilmSending() { stop(); }

  void schedule() {
    const auto send = [](gpointer data) {
      static_cast<FilmSending*>(data)->send();
      return gboolean{G_SOURCE_REMOVE};
    };
    if (source_ == 0) source_ = g_idle_add_full(G_PRIORITY_DEFAULT, +send, this, nullptr);
  }

  void stop() {
    if (source_ != 0) g_source_remove(std::exchange(source_, 0));
  }

  void send() {
    source_ = 0;
    SoupMessageBody* body = soup_server_message_get_response_body(message_);
    if (at_ == film_.size()) {
      soup_message_body_complete(body);
      return soup_server_message_unpause(message_);
    }
    std::vector<uint8_t> piece(std::min(kPiece, film_.size() - at_));
    size_t got = 0;
    try {
      got = mosaic::read_at(film_.fd(), piece.data(), piece.size(), at_);
    } catch (const mosaic::Error& error) {
      g_warning("the film cannot be read: %s", error.what());
    }
    if (got == 0) return cut_off(message_);
    at_ += got;
    soup_message_body_append(body, SOUP_MEMORY_COPY, piece.data(), got);
    soup_server_message_unpause(message_);
  }

  SoupServerMessage* message_;
  const mosaic::RegularFile& film_;
  size_t at_ = 0;
  guint source_ = 0;  ///< that will send the next piece; 0: none
};

/// Sends what a thread has prepared. Runs in the main context.
gboolean answer(gpointer data) {
  const std::unique_ptr<Request> request(static_cast<Request*>(data));
  SoupServerMessage* message = request->message;
  if (*request->is_ending) {  // nobody waits for it any more
    g_object_unref(message);
    return G_SOURCE_REMOVE;
  }
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
      FilmSending::begin(message, request->files->film());
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
  g_idle_add_full(G_PRIORITY_DEFAULT, answer, request, nullptr);
}

/// Whether a browser means this machine, and not a name of elsewhere that was made to lead here, by
/// which pages of that name could read the photos.
bool is_for_this_machine(SoupServerMessage* message) {
  SoupMessageHeaders* headers = soup_server_message_get_request_headers(message);
  const char* host = soup_message_headers_get_one(headers, "Host");
  if (!host) return true;
  std::string name = host;
  if (const size_t port = name.rfind(':'); port != std::string::npos && name.back() != ']')
    name.resize(port);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

}  // namespace

struct HttpServer::Impl {
  const WebFiles& files;
  bool is_public;
  bool is_ending = false;
  SoupServer* server = soup_server_new("server-header", "mosaic-temporal ", nullptr);
  GThreadPool* threads = g_thread_pool_new(prepare, nullptr, kThreads, FALSE, nullptr);

  /// Before the body of a request is read, of which nothing is kept.
  static void check(SoupServer*, SoupServerMessage* message, const char*, GHashTable*,
                    gpointer data) {
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), FALSE);
    const char* method = soup_server_message_get_method(message);
    if (method != SOUP_METHOD_GET && method != SOUP_METHOD_HEAD)
      soup_server_message_set_status(message, SOUP_STATUS_METHOD_NOT_ALLOWED, nullptr);
    else if (!static_cast<Impl*>(data)->is_public && !is_for_this_machine(message))
      soup_server_message_set_status(message, SOUP_STATUS_FORBIDDEN, nullptr);
  }

  static void handle(SoupServer*, SoupServerMessage* message, const char* path, GHashTable*,
                     gpointer data) {
    auto* self = static_cast<Impl*>(data);
    soup_server_message_pause(message);
    auto* request = new Request{&self->files,
                                SOUP_SERVER_MESSAGE(g_object_ref(message)),
                                &self->is_ending,
                                path[0] == '/' ? path + 1 : path,
                                {},
                                {}};
    g_thread_pool_push(self->threads, request, nullptr);
  }
};

HttpServer::HttpServer(const WebFiles& files, int port, bool is_public)
    : impl_(std::make_unique<Impl>(files, is_public)) {
  soup_server_add_early_handler(impl_->server, nullptr, Impl::check, impl_.get(), nullptr);
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
  impl_->is_ending = true;
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
