// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// JSON as json-glib reads and writes it.
#pragma once

#include <json-glib/json-glib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mosaic_program {

struct UnrefJson {
  void operator()(gpointer object) const { g_object_unref(object); }
};

/// Writes an object, name by name.
class JsonWriter {
 public:
  JsonWriter() : builder_(json_builder_new()) {}

  JsonWriter& name(const char* name);
  JsonWriter& add(const std::string& text);  ///< which is UTF-8
  JsonWriter& add(int64_t number);
  JsonWriter& add(double number);
  /// @param name null: in a list, or the outermost
  JsonWriter& begin_object(const char* name = nullptr);
  JsonWriter& end_object();
  JsonWriter& begin_list(const char* name);
  JsonWriter& end_list();

  /// Indented, or in one line.
  std::string text(bool in_one_line = false) const;

 private:
  std::unique_ptr<JsonBuilder, UnrefJson> builder_;
};

/// A value in a document, which has to outlive it. Everything throws Failure, which names what is
/// missing or of another type.
class JsonValue {
 public:
  JsonValue(JsonNode* node, std::string name) : node_(node), name_(std::move(name)) {}

  int64_t number() const;
  double real() const;
  std::string text() const;

  // Of an object.
  bool has(const char* name) const;
  std::vector<std::string> names() const;
  int64_t number(const char* name) const { return member(name).number(); }
  double real(const char* name) const { return member(name).real(); }
  std::string text(const char* name) const { return member(name).text(); }
  JsonValue object(const char* name) const;
  std::vector<JsonValue> list(const char* name) const;

 private:
  JsonValue member(const char* name) const;
  [[noreturn]] void refuse(const char* type) const;

  JsonNode* node_;
  std::string name_;
};

class JsonDocument {
 public:
  /// Throws Failure if it is no object of JSON.
  explicit JsonDocument(const std::string& text);

  JsonValue root() const;

 private:
  std::unique_ptr<JsonParser, UnrefJson> parser_;
};

}  // namespace mosaic_program
