// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/json.h"

#include <algorithm>

#include "gst/pointers.h"
#include "program/failure.h"

namespace mosaic_program {

using mosaic_gst::Owned;

namespace {

constexpr int kDeepest = 32;

/// At least how deeply lists and objects are nested.
int depth_of(const std::string& text) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_text && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_text = !in_text;
    } else if (!in_text) {
      depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
      deepest = std::max(deepest, depth);
    }
  }
  return deepest;
}

}  // namespace

JsonWriter& JsonWriter::name(const char* name) {
  json_builder_set_member_name(builder_.get(), name);
  return *this;
}

JsonWriter& JsonWriter::add(const std::string& text) {
  if (!g_utf8_validate(text.c_str(), -1, nullptr))
    throw Failure("'" + text + "' is not UTF-8, and cannot be in a plan");
  json_builder_add_string_value(builder_.get(), text.c_str());
  return *this;
}

JsonWriter& JsonWriter::add(int64_t number) {
  json_builder_add_int_value(builder_.get(), number);
  return *this;
}

JsonWriter& JsonWriter::add(double number) {
  json_builder_add_double_value(builder_.get(), number);
  return *this;
}

JsonWriter& JsonWriter::begin_object(const char* name) {
  if (name) this->name(name);
  json_builder_begin_object(builder_.get());
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  json_builder_end_object(builder_.get());
  return *this;
}

JsonWriter& JsonWriter::begin_list(const char* name) {
  this->name(name);
  json_builder_begin_array(builder_.get());
  return *this;
}

JsonWriter& JsonWriter::end_list() {
  json_builder_end_array(builder_.get());
  return *this;
}

std::string JsonWriter::text(bool in_one_line) const {
  JsonNode* root = json_builder_get_root(builder_.get());
  const Owned<gchar> text(json_to_string(root, !in_one_line));
  json_node_unref(root);
  return std::string(text.get()) + "\n";
}

void JsonValue::refuse(const char* type) const {
  throw Failure(name_ + " is missing, or no " + type);
}

int64_t JsonValue::number() const {
  if (!node_ || !JSON_NODE_HOLDS_VALUE(node_) || json_node_get_value_type(node_) != G_TYPE_INT64)
    refuse("whole number");
  return json_node_get_int(node_);
}

double JsonValue::real() const {
  if (!node_ || !JSON_NODE_HOLDS_VALUE(node_) ||
      (json_node_get_value_type(node_) != G_TYPE_DOUBLE &&
       json_node_get_value_type(node_) != G_TYPE_INT64))
    refuse("number");
  return json_node_get_double(node_);
}

std::string JsonValue::text() const {
  if (!node_ || !JSON_NODE_HOLDS_VALUE(node_) || json_node_get_value_type(node_) != G_TYPE_STRING)
    refuse("text");
  return json_node_get_string(node_);
}

bool JsonValue::has(const char* name) const {
  return json_object_has_member(json_node_get_object(node_), name);
}

std::vector<std::string> JsonValue::names() const {
  std::vector<std::string> names;
  GList* members = json_object_get_members(json_node_get_object(node_));
  for (GList* l = members; l; l = l->next) names.emplace_back(static_cast<const char*>(l->data));
  g_list_free(members);
  return names;
}

JsonValue JsonValue::member(const char* name) const {
  if (!node_ || !JSON_NODE_HOLDS_OBJECT(node_)) refuse("object");
  return {json_object_get_member(json_node_get_object(node_), name), name};
}

JsonValue JsonValue::object(const char* name) const {
  JsonValue value = member(name);
  if (!value.node_ || !JSON_NODE_HOLDS_OBJECT(value.node_)) value.refuse("object");
  return value;
}

std::vector<JsonValue> JsonValue::list(const char* name) const {
  const JsonValue value = member(name);
  if (!value.node_ || !JSON_NODE_HOLDS_ARRAY(value.node_)) value.refuse("list");
  JsonArray* array = json_node_get_array(value.node_);
  std::vector<JsonValue> values;
  for (guint i = 0; i < json_array_get_length(array); ++i)
    values.emplace_back(json_array_get_element(array, i), std::string("an entry of ") + name);
  return values;
}

JsonDocument::JsonDocument(const std::string& text) : parser_(json_parser_new()) {
  // The parser calls itself for what is nested, without a limit.
  if (depth_of(text) > kDeepest) throw Failure("it is nested too deeply");
  GError* failure = nullptr;
  json_parser_load_from_data(parser_.get(), text.c_str(), static_cast<gssize>(text.size()),
                             &failure);
  const Owned<GError> error(failure);
  if (error) throw Failure(error->message);
  JsonNode* root = json_parser_get_root(parser_.get());
  if (!root || !JSON_NODE_HOLDS_OBJECT(root)) throw Failure("it is no object of JSON");
}

JsonValue JsonDocument::root() const {
  return {json_parser_get_root(parser_.get()), "the document"};
}

}  // namespace mosaic_program
