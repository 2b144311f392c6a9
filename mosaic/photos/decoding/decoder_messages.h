// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

#include "mosaic/base/descriptor.h"
#include "mosaic/photos/decoding/decoder_protocol.h"

namespace mosaic::decoder {

/// Sends a request with the descriptor of a photo's file. @return false: errno says why
bool send_request(int socket, const Request& request, int file);

struct ReceivedRequest {
  Request request;
  Descriptor file;
};
/// Waits for a request. @return nullopt: the other end was closed, or has sent something else
std::optional<ReceivedRequest> receive_request(int socket);

struct ReceivedReply {
  Reply reply;
  std::string rest;  ///< what follows it
};
/// Waits for the answer to a request. @return nullopt: the other process has ended
std::optional<ReceivedReply> receive_reply(int socket);

}  // namespace mosaic::decoder
