// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/decoder_messages.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace mosaic::decoder {
namespace {

/// A message of one Request and one descriptor (unix(7), SCM_RIGHTS).
struct Message {
  explicit Message(Request& request) : part{&request, sizeof request} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  iovec part;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

}  // namespace

bool send_request(int socket, const Request& request, int file) {
  Request copy = request;
  Message message(copy);
  cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  return sendmsg(socket, &message.header, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof copy);
}

std::optional<ReceivedRequest> receive_request(int socket) {
  ReceivedRequest received{{}, Descriptor()};
  Message message(received.request);
  ssize_t size;
  do size = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  const cmsghdr* rights = size < 0 ? nullptr : CMSG_FIRSTHDR(&message.header);
  if (rights && rights->cmsg_type == SCM_RIGHTS && rights->cmsg_len == CMSG_LEN(sizeof(int))) {
    int file;
    std::memcpy(&file, CMSG_DATA(rights), sizeof file);
    received.file = Descriptor(file);
  }
  if (size != static_cast<ssize_t>(sizeof received.request) || received.file.get() < 0) return {};
  return received;
}

std::optional<ReceivedReply> receive_reply(int socket) {
  char message[sizeof(Reply) + kMaxReason];
  const ssize_t size = recv(socket, message, sizeof message, 0);
  ReceivedReply received{};
  if (size < static_cast<ssize_t>(sizeof received.reply)) return {};
  std::memcpy(&received.reply, message, sizeof received.reply);
  received.rest.assign(message + sizeof received.reply, size - sizeof received.reply);
  return received;
}

}  // namespace mosaic::decoder
