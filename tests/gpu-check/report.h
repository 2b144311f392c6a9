// SPDX-License-Identifier: LGPL-2.1-or-later
// What was found, as tables: for people in Markdown, for programs in JSON.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <vector>

namespace gpu_check {

/// An entry of a table, as both will read it.
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
  /// Stays valid as long as the report.
  Table& add(std::string key, std::string title, std::vector<std::string> columns,
             std::string remark = "");
  /// Something differs or does not work: one line, at once on stderr too.
  void fail(const std::string& what);
  bool failed() const { return !failures_.empty(); }

  void write_markdown(std::ostream& to) const;
  void write_json(std::ostream& to) const;

 private:
  std::deque<Table> tables_;
  std::vector<std::string> failures_;
};

/// The value below which `percent` of all lie. @param values not empty
double percentile(std::vector<double> values, double percent);

}  // namespace gpu_check
