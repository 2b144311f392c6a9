// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu-check/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace gpu_check {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += escaped;
    else
      out += c;
  }
  return out + '"';
}

std::string printed(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

}  // namespace

Value::Value(const std::string& text) : people(text), programs(quoted(text)) {}

Value::Value(int64_t number) : people(std::to_string(number)), programs(std::to_string(number)) {}

Value::Value(double number)
    : people(printed(std::abs(number) >= 100  ? "%.0f"
                     : std::abs(number) >= 10 ? "%.1f"
                                              : "%.3f",
                     number)),
      programs(std::isfinite(number) ? printed("%.9g", number) : "null") {}

Table& Report::add(std::string key, std::string title, std::vector<std::string> columns,
                   std::string remark) {
  return tables_.emplace_back(
      Table{std::move(key), std::move(title), std::move(remark), std::move(columns), {}});
}

void Report::fail(const std::string& what) {
  failures_.push_back(what);
  std::cerr << "gpu_check: " << what << std::endl;
}

void Report::write_markdown(std::ostream& to) const {
  for (const Table& table : tables_) {
    to << "\n## " << table.title << "\n\n";
    if (!table.remark.empty()) to << table.remark << "\n\n";
    for (const std::string& column : table.columns) to << "| " << column << " ";
    to << "|\n";
    for (size_t i = 0; i < table.columns.size(); ++i) to << "| --- ";
    to << "|\n";
    for (const auto& row : table.rows) {
      for (const Value& value : row) to << "| " << value.people << " ";
      to << "|\n";
    }
  }
  if (failed()) to << "\n## What failed\n\n";
  for (const std::string& failure : failures_) to << "- " << failure << "\n";
}

void Report::write_json(std::ostream& to) const {
  to << "{\"failures\": [";
  for (size_t i = 0; i < failures_.size(); ++i) to << (i ? ", " : "") << quoted(failures_[i]);
  to << "]";
  for (const Table& table : tables_) {
    to << ",\n " << quoted(table.key) << ": [";
    for (size_t r = 0; r < table.rows.size(); ++r) {
      to << (r ? ",\n  {" : "\n  {");
      for (size_t c = 0; c < table.rows[r].size(); ++c)
        to << (c ? ", " : "") << quoted(table.columns[c]) << ": " << table.rows[r][c].programs;
      to << "}";
    }
    to << "]";
  }
  to << "}\n";
}

double percentile(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const double at = std::ceil(percent / 100 * static_cast<double>(values.size())) - 1;
  return values[static_cast<size_t>(std::max(at, 0.0))];
}

}  // namespace gpu_check
