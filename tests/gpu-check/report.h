// SPDX-License-Identifier: LGPL-2.1-or-later
// The results as tables, written as Markdown and as JSON.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <vector>

namespace gpu_check {

/// An entry of a table.
struct Value {
  Value(const std::string& text);
  Value(const char* text) : Value(std::string(text)) {}
  Value(int64_t number);
  Value(double number);

  std::string people, programs;
};

struct Table {
  std::string key;    ///< in JSON
  std::string title;  ///< a heading
  std::string remark;
  std::vector<std::string> columns;  ///< with units; keys in JSON
  std::vector<std::vector<Value>> rows;
};

class Report {
 public:
  /// Adds a table. The reference is valid as long as the report.
  Table& add(std::string key, std::string title, std::vector<std::string> columns,
             std::string remark = "");
  /// Adds a failure, in one line, and prints it to stderr.
  void fail(const std::string& what);
  bool failed() const { return !failures_.empty(); }

  void write_markdown(std::ostream& to) const;
  void write_json(std::ostream& to) const;

 private:
  std::deque<Table> tables_;
  std::vector<std::string> failures_;
};

/// The percentile of values. @param values  not empty
double percentile(std::vector<double> values, double percent);

}  // namespace gpu_check
