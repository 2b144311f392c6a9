// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/pipeline_line.h"

#include <algorithm>
#include <utility>

#include "program/failure.h"

namespace mosaic_program {
namespace {

/// As gst-launch-1.0 reads it: quotation marks, and before them and before backslashes a backslash.
std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

/// Texts that GStreamer would take for something else, as numbers between quotation marks of its
/// own.
std::string serialized(const std::string& value) {
  const bool quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
  if (!quoted && value != "NULL") return value;
  std::string text = "\"";
  for (const char c : value) {
    gchar number[5];
    g_snprintf(number, sizeof number, "\\%03o", static_cast<unsigned char>(c));
    text += number;
  }
  return text + '"';
}

bool is_plain(const std::string& text, const char* marks) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                              "WXYZ0123456789" +
                              std::string(marks)) == text.npos;
}

std::string for_shell(const std::string& word) {
  if (word == "!" || is_plain(word, "-_./:%+=,")) return word;
  gchar* quoted = g_shell_quote(word.c_str());
  const std::string text = quoted;
  g_free(quoted);
  return text;
}

}  // namespace

PipelineLine& PipelineLine::link(const std::string& word) {
  const bool is_caps = word.find('/') != word.npos;
  if (std::exchange(from_name_, false) && is_caps) return link("capsfilter").set("caps", word);
  if (follows_) words_.emplace_back("!");
  words_.push_back(word);
  names_.emplace_back();
  follows_ = true;
  return *this;
}

PipelineLine& PipelineLine::set(const std::string& property, const std::string& value) {
  const bool is_utf8 = g_utf8_validate(value.c_str(), -1, nullptr);
  if (property == "name") {
    names_.back() = value;
  } else if (!is_utf8) {
    if (names_.back().empty()) set("name", "named-" + std::to_string(names_.size()));
    raw_.push_back({names_.size() - 1, words_.size(), property, value});
  }
  const std::string text = serialized(value);
  words_.push_back(property + "=" + (is_plain(text, "-_./:%+") ? text : quoted(text)));
  return *this;
}

PipelineLine& PipelineLine::set(const std::string& property, int value) {
  return set(property, std::to_string(value));
}

PipelineLine& PipelineLine::from(const std::string& name, const std::string& pad) {
  follows_ = false;
  link(name + "." + pad);
  from_name_ = true;
  return *this;
}

PipelineLine& PipelineLine::to(const std::string& name, const std::string& pad) {
  link(name + "." + pad);
  follows_ = false;
  return *this;
}

PipelineLine& PipelineLine::begin(const std::string& factory) {
  follows_ = false;
  return link(factory);
}

PipelineLine& PipelineLine::read(int fd, Commands writers) {
  begin("fdsrc").set("fd", fd);
  read_word_ = words_.back();
  writers_ = std::move(writers);
  return *this;
}

GstElement* PipelineLine::make() const {
  std::string text;
  for (size_t i = 0; i < words_.size(); ++i)
    if (std::none_of(raw_.begin(), raw_.end(), [i](const Raw& raw) { return raw.word == i; }))
      text += words_[i] + " ";
  GError* error = nullptr;
  GstElement* pipeline =
      gst_parse_launch_full(text.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error) {
    const std::string message = error->message;
    g_error_free(error);
    gst_clear_object(&pipeline);
    throw Failure(message);
  }
  for (const Raw& raw : raw_) {
    GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline), names_[raw.element].c_str());
    g_object_set(element, raw.property.c_str(), raw.value.c_str(), nullptr);
    gst_object_unref(element);
  }
  return pipeline;
}

std::string PipelineLine::command() const {
  std::string text;
  for (const std::vector<std::string>& command : writers_) {
    for (const std::string& word : command) text += for_shell(word) + " ";
    text += "| ";
  }
  text += "gst-launch-1.0 -e";
  for (const std::string& word : words_)
    if (read_word_.empty() || word != read_word_) text += " " + for_shell(word);
  return text;
}

}  // namespace mosaic_program
