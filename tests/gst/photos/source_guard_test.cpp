// SPDX-License-Identifier: LGPL-2.1-or-later
// What a video of tiles can lead to: playlists that name other files or the network.
#include <gio/gio.h>

#include <fstream>
#include <thread>

#include "gst/photos/video_photos.h"
#include "mosaic/base/error.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;

constexpr char kLeadsElsewhere[] = "leads to other files or to the network";

/// The error of opening a video; empty: it was opened.
std::string error_of(const std::string& uri) {
  const std::atomic<bool> cancelled = false;
  g_setenv("no_proxy", "127.0.0.1", TRUE);
  try {
    mosaic_gst::open_video_photos(uri, {}, 64, cancelled, [](int, int) {});
  } catch (const mosaic::Error& error) {
    return error.what();
  }
  return {};
}

/// A port of this machine that is listened on.
class Server {
 public:
  Server()
      : socket_(g_socket_new(G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                             nullptr)) {
    GInetAddress* loopback = g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4);
    GSocketAddress* address = g_inet_socket_address_new(loopback, 0);
    EXPECT_TRUE(g_socket_bind(socket_, address, FALSE, nullptr));
    EXPECT_TRUE(g_socket_listen(socket_, nullptr));
    g_object_unref(address);
    g_object_unref(loopback);
  }
  ~Server() {
    g_cancellable_cancel(stop_);
    if (thread_.joinable()) thread_.join();
    g_object_unref(stop_);
    g_object_unref(socket_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url(const std::string& name) const {
    GSocketAddress* address = g_socket_get_local_address(socket_, nullptr);
    const int port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(address));
    g_object_unref(address);
    return "http://127.0.0.1:" + std::to_string(port) + "/" + name;
  }

  /// Whether anybody has connected, if nothing is served.
  bool was_asked() const { return g_socket_condition_check(socket_, G_IO_IN) & G_IO_IN; }

  /// Answers every request with `text` from now on.
  void serve(const std::string& text) {
    thread_ = std::thread([this, text] {
      while (GSocket* client = g_socket_accept(socket_, stop_, nullptr)) {
        char request[4096];
        g_socket_receive(client, request, sizeof request, stop_, nullptr);
        const std::string answer =
            "HTTP/1.0 200 OK\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
        g_socket_send(client, answer.data(), answer.size(), stop_, nullptr);
        g_object_unref(client);
      }
    });
  }

 private:
  GSocket* socket_;
  GCancellable* stop_ = g_cancellable_new();
  std::thread thread_;
};

std::string hls(const std::string& segment) {
  return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:0\n"
         "#EXTINF:10,\n" +
         segment + "\n#EXT-X-ENDLIST\n";
}

std::string hls_of_variants(const std::string& playlist) {
  return "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=64x48\n" + playlist + "\n";
}

std::string dash(const std::string& media) {
  return R"(<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S"
     minBufferTime="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>
<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"><BaseURL>)" +
         media + "</BaseURL></Representation></AdaptationSet></Period></MPD>\n";
}

TEST(Sources, AFileIsNotReadAsAPlaylist) {
  const TempFolder folder;
  const Server server;
  const std::string path = folder.path("holiday.mp4");
  for (const std::string& text : {hls(server.url("a.ts")), hls_of_variants(server.url("a.m3u8")),
                                  dash(server.url("a.mp4"))}) {
    std::ofstream(path) << text;
    const std::string error = error_of("file://" + path);
    EXPECT_NE(error, "") << text;
    EXPECT_FALSE(server.was_asked()) << text;
    if (have_elements({text[0] == '#' ? "hlsdemux" : "dashdemux"})) {
      EXPECT_NE(error.find(kLeadsElsewhere), std::string::npos) << error;
    }
  }
}

TEST(Sources, TheNetworkDoesNotLeadToFiles) {
  if (!have_elements({"hlsdemux", "souphttpsrc", "filesrc"}))
    GTEST_SKIP() << "this GStreamer has no hlsdemux or souphttpsrc";
  const TempFolder folder;
  std::ofstream(folder.path("secret.ts")) << std::string(5000, 'x');
  Server server;
  server.serve(hls("file://" + folder.path("secret.ts")));
  const std::string error = error_of(server.url("a.m3u8"));
  EXPECT_NE(error.find(kLeadsElsewhere), std::string::npos) << error;
}

TEST(Sources, PlaylistsOfTheNetworkStayUsable) {
  if (!have_elements({"hlsdemux", "souphttpsrc"}))
    GTEST_SKIP() << "this GStreamer has no hlsdemux or souphttpsrc";
  Server list, media;
  list.serve(hls(media.url("a.ts")));
  media.serve(std::string(5000, 'x'));
  const std::string error = error_of(list.url("a.m3u8"));
  EXPECT_NE(error, "") << "this is no video";
  EXPECT_EQ(error.find(kLeadsElsewhere), std::string::npos) << error;
}

}  // namespace
