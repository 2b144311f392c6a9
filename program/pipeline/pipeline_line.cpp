// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/pipeline_line.h"

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
  if (follows_) words_.emplace_back("!");
  words_.push_back(word);
  follows_ = true;
  return *this;
}

PipelineLine& PipelineLine::set(const std::string& property, const std::string& value) {
  words_.push_back(property + "=" + (is_plain(value, "-_./:%+") ? value : quoted(value)));
  return *this;
}

PipelineLine& PipelineLine::set(const std::string& property, int value) {
  return set(property, std::to_string(value));
}

PipelineLine& PipelineLine::from(const std::string& name) {
  follows_ = false;
  return link(name + ".");
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

PipelineLine& PipelineLine::read(int fd, const std::vector<std::string>& other_command) {
  begin("fdsrc").set("fd", fd);
  read_word_ = words_.back();
  writer_ = other_command;
  return *this;
}

GstElement* PipelineLine::make() const {
  std::string text;
  for (const std::string& word : words_) text += word + " ";
  GError* error = nullptr;
  GstElement* pipeline =
      gst_parse_launch_full(text.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error) {
    const std::string message = error->message;
    g_error_free(error);
    gst_clear_object(&pipeline);
    throw Failure(message);
  }
  return pipeline;
}

std::string PipelineLine::command() const {
  std::string text;
  for (const std::string& word : writer_) text += for_shell(word) + " ";
  text += writer_.empty() ? "gst-launch-1.0 -e" : "| gst-launch-1.0 -e";
  for (const std::string& word : words_)
    if (read_word_.empty() || word != read_word_) text += " " + for_shell(word);
  return text;
}

}  // namespace mosaic_program
