// SPDX-License-Identifier: LGPL-2.1-or-later
// Settings in TOML and YAML: their values, and the errors of invalid files.
#include "mosaic/settings/settings_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "mosaic/base/error.h"

namespace {

using mosaic::Error;
using mosaic::Setting;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Parse = std::vector<Setting>(std::string_view, const std::string&);

std::string describe(const Setting::Value& value) {
  struct Describe {
    std::string operator()(Setting::Other) const { return "other"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int64_t v) const { return "int " + std::to_string(v); }
    std::string operator()(double v) const { return "real " + std::to_string(v); }
    std::string operator()(const std::string& v) const { return "text " + v; }
    std::string operator()(const std::vector<int64_t>& v) const {
      std::string text = "list";
      for (const int64_t item : v) text += " " + std::to_string(item);
      return text;
    }
  };
  return std::visit(Describe(), value);
}

std::string describe(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& s : settings)
    text += std::to_string(s.line()) + " " + s.key() + ": " + describe(s.value()) + "\n";
  return text;
}

/// The value that YAML gives this text, with its type.
std::string yaml(const std::string& value) {
  const auto settings = mosaic::parse_yaml("k: " + value + "\n", "f");
  EXPECT_EQ(settings.size(), 1U) << value;
  return settings.size() == 1 ? describe(settings[0].value()) : "";
}

/// Message and hint of the error that a call throws.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}
std::string error_of(Parse* parse, const std::string& text) {
  return error_of([&] { parse(text, "some/file"); });
}

constexpr char kToml[] =
    "# comment\n"
    "name = \"vivid_b\"\n"
    "beta = 0.5\n"
    "level = 3\n"
    "quiet = false\n"
    "size = [480, 272]\n"
    "mixed = [480, \"272\"]\n"
    "day = 2026-11-21\n"
    "[table]\n"
    "x = 1\n";
constexpr char kYaml[] =
    "# comment\n"
    "name: \"vivid_b\"\n"
    "beta: 0.5\n"
    "level: 3\n"
    "quiet: false\n"
    "size: [480, 272]\n"
    "mixed: [480, \"272\"]\n"
    "day: null\n"
    "table:\n"
    "  x: 1\n";
constexpr char kMeaning[] =
    "2 name: text vivid_b\n"
    "3 beta: real 0.500000\n"
    "4 level: int 3\n"
    "5 quiet: false\n"
    "6 size: list 480 272\n"
    "7 mixed: other\n"
    "8 day: other\n"
    "9 table: other\n";

TEST(Settings, ParseAlikeFromTomlAndYaml) {
  EXPECT_EQ(describe(mosaic::parse_toml(kToml, "f")), kMeaning);
  EXPECT_EQ(describe(mosaic::parse_yaml(kYaml, "f")), kMeaning);
}

TEST(Settings, AreEmptyForEmptyFiles) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(describe(mosaic::parse_toml(text, "f")), "") << text;
    EXPECT_EQ(describe(mosaic::parse_yaml(text, "f")), "") << text;
  }
  for (const char* text : {"---\n", "---\n...\n", "%YAML 1.1\n---\n", "{}\n"})
    EXPECT_EQ(describe(mosaic::parse_yaml(text, "f")), "") << text;
}

TEST(Yaml, ReadsScalarsAsYaml11) {
  const std::map<std::string, std::string> meanings = {
      {"yes", "true"},
      {"Off", "false"},
      {"\"yes\"", "text yes"},
      {"700", "int 700"},
      {"'700'", "text 700"},
      {"+7", "int 7"},
      {"-7", "int -7"},
      {".5", "real 0.500000"},
      {"1e-1", "real 0.100000"},
      {"40x30", "text 40x30"},
      {"480x272", "text 480x272"},
      {"1-2", "text 1-2"},
      {"+-7", "text +-7"},
      {".", "text ."},
      {"~", "other"},
      {"", "other"},
      {".nan", "text .nan"},
      {"inf", "text inf"},
      {"99999999999999999999", "real 100000000000000000000.000000"},
      {"a b # comment", "text a b"},
      {"!!str 700", "text 700"},
      {"! 700", "text 700"},
      {"!!int \"700\"", "int 700"},
      {"!!float 1", "int 1"},
      {"!!null x", "other"},
      {"!!binary aGk=", "other"},
      {"!mine 3", "other"},
      {"&a 3", "int 3"},
      {"[]", "list"},
      {"[ 1 , -2 ]", "list 1 -2"},
      {"\n- 480\n- 272", "list 480 272"},
      {"!!python/tuple\n- 480\n- 272", "list 480 272"},
      {"[1, [2]]", "other"},
      {"[1, {a: 2}, 3]", "other"},
      {"[1, 2.5]", "other"},
      {"|\n  two\n  lines", "text two\nlines\n"},
  };
  for (const auto& [text, meaning] : meanings) EXPECT_EQ(yaml(text), meaning) << text;
}

TEST(Settings, ErrorsNameFileLineAndAllowedValues) {
  const auto toml =
      mosaic::parse_toml("a = 5\nb = \"x\"\nc = true\nd = 1.5\ne = \"a\\u0000b\"\n", "some/file");
  const Setting &a = toml[0], &b = toml[1], &c = toml[2], &d = toml[3], &e = toml[4];
  static constexpr std::string_view kWords[] = {"one", "two"};
  EXPECT_EQ(error_of([&] { a.number(0, 1); }),
            "some/file, line 1: a is 5 | use a number from 0 to 1");
  EXPECT_EQ(error_of([&] { b.number(0, 1); }),
            "some/file, line 2: b is not a number | use a number from 0 to 1");
  EXPECT_EQ(error_of([&] { c.number(0, 1); }),
            "some/file, line 3: c is not a number | use a number from 0 to 1");
  EXPECT_EQ(error_of([&] { d.whole(0, 9); }),
            "some/file, line 4: d is not a whole number | use a number from 0 to 9");
  EXPECT_EQ(error_of([&] { a.boolean(); }),
            "some/file, line 1: a is not a boolean | use true or false");
  EXPECT_EQ(error_of([&] { a.text(); }),
            "some/file, line 1: a is not a string | put it in quotation marks");
  EXPECT_EQ(error_of([&] { e.text(); }),
            "some/file, line 5: e contains a NUL character | remove it");
  EXPECT_EQ(error_of([&] { b.word(kWords); }),
            "some/file, line 2: b \"x\" is not valid | use one or two");
  EXPECT_EQ(error_of([&] { a.word(kWords); }),
            "some/file, line 1: a is not valid | use one or two");
  EXPECT_EQ(error_of([&] { a.fail_unknown("x, y"); }),
            "some/file, line 1: there is no field a | fields: x, y");
  EXPECT_EQ(a.number(5, 5), 5);
  EXPECT_EQ(a.whole(0, 9), 5);
}

TEST(Settings, ErrorsCutLongKeysBetweenCharacters) {
  std::string key = "x";
  for (int i = 0; i < 100; ++i) key += "\xc3\xa4";
  const Setting setting("f", 1, key, true);
  const std::string error = error_of([&] { setting.fail_unknown("a"); });
  EXPECT_THAT(error, HasSubstr("\xc3\xa4... | fields: a"));
  EXPECT_LT(error.size(), 120U);
}

TEST(Settings, SyntaxErrorsNameTheLine) {
  const std::map<std::string, std::string> toml = {
      {"a = 1\na = 2\n", "line 2"},
      {"a = \n", "line 1"},
      {"a 1\n", "line 1"},
      {"a = 1\nb = \"open\n", "line 2"},
      {"a = 1\n\xff = 2\n", "line 2"},
      {std::string("a = 1\nb = 2\0\n", 13), "line 2"},
      {std::string("\xff\xfe"
                   "a\0=\0",
                   6),
       "line 1"},
      {"a = 99999999999999999999\n", "line 1"},
      {"a = " + std::string(20000, '['), "line 1"},
      {"a = " + std::string(20000, '[') + std::string(20000, ']'), "line 1"},
  };
  for (const auto& [text, part] : toml)
    EXPECT_THAT(error_of(mosaic::parse_toml, text),
                AllOf(StartsWith("some/file, line"), HasSubstr(part), HasSubstr("key = value")))
        << text.substr(0, 30);
  const std::map<std::string, std::string> yaml = {
      {"a: 1\na: 2\n", "line 2: a is set for the second time"},
      {"a: &x 1\nb: *x\n", "line 2: aliases are not supported"},
      {"a: &x [1]\nb: [*x, *x]\n", "line 2: aliases are not supported"},
      {"base: &x {a: 1}\n<<: *x\n", "line 2: aliases are not supported"},
      {"a: 1\n---\nb: 2\n", "line 2: there is a second document"},
      {"- 1\n- 2\n", "line 1: this is not a list of settings"},
      {"just words\n", "line 1: this is not a list of settings"},
      {"a: 1\n? [1, 2]\n: 3\n", "line 2: a key is not a string"},
      {"a: 1\n  b: 2\n", "line 2"},
      {"a: 1\n\tb: 2\n", "line 2"},
      {"a: [1, 2\nb: 3\n", "line 2"},
      {"a: \"open\n", "line 2"},
      {"a: 1\nb: \xff\n", "line 2: invalid leading UTF-8 octet"},
      {std::string("a: 1\nb: \0\n", 10), "line 2: control characters are not allowed"},
      {"a: " + std::string(20000, '['), "line 1"},
      {"a: " + std::string(20000, '{'), "line 1"},
      {std::string(20000, '-') + " 1", "line 1"},
  };
  for (const auto& [text, part] : yaml)
    EXPECT_THAT(error_of(mosaic::parse_yaml, text),
                AllOf(StartsWith("some/file, line"), HasSubstr(part), HasSubstr("key: value")))
        << text.substr(0, 30);
}

TEST(Yaml, DeeplyNestedListsAreUnsupportedValues) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(describe(mosaic::parse_yaml("a: " + deep + "\nb: 1\n", "f")),
            "1 a: other\n2 b: int 1\n");
}

TEST(Yaml, ReadsUtf16) {
  const std::string text(
      "\xff\xfe"
      "a\0:\0 \0"
      "7\0\n\0",
      12);
  EXPECT_EQ(describe(mosaic::parse_yaml(text, "f")), "1 a: int 7\n");
}

/// Any bytes give settings, or an error that names file and line.
TEST(Settings, SurviveRandomDamage) {
  std::mt19937 random(1);
  int errors = 0;
  for (const auto& [parse, whole] : {std::pair<Parse*, std::string>{mosaic::parse_toml, kToml},
                                     std::pair<Parse*, std::string>{mosaic::parse_yaml, kYaml}})
    for (int n = 0; n < 4000; ++n) {
      std::string text = whole.substr(0, n % 4 ? whole.size() : random() % whole.size());
      for (unsigned i = random() % 6; i-- > 0 && !text.empty();) {
        constexpr char kSigns[] = "[]{}\"'=:#&*!|>-?,.\n\t \\\0\xff\xc3";
        const char sign =
            random() % 2 ? kSigns[random() % (sizeof kSigns - 1)] : static_cast<char>(random());
        const size_t at = random() % text.size();
        if (random() % 2)
          text[at] = sign;
        else
          text.insert(at, 1 + random() % 3, sign);
      }
      try {
        for (const Setting& s : parse(text, "some/file")) EXPECT_GE(s.line(), 1);
      } catch (const Error& error) {
        ++errors;
        EXPECT_EQ(error.kind(), Error::Kind::kSettings);
        EXPECT_THAT(error.what(), StartsWith("some/file, line "));
      }
    }
  EXPECT_GT(errors, 1000);
}

class SettingsFile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/settings-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string error(const std::string& path, Error::Kind kind) {
    try {
      mosaic::read_settings(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << path;
      EXPECT_THAT(error.what(), HasSubstr(path));
      return std::string(error.what()) + " | " + error.hint();
    }
    return "no error";
  }
  std::string folder_;
};

TEST_F(SettingsFile, HasTheFormatOfItsExtension) {
  EXPECT_EQ(describe(mosaic::read_settings(write("a.toml", kToml))), kMeaning);
  EXPECT_EQ(describe(mosaic::read_settings(write("a.yaml", kYaml))), kMeaning);
  EXPECT_EQ(describe(mosaic::read_settings(write("a.yml", kYaml))), kMeaning);
  EXPECT_THAT(error(write("a.json", "{}"), Error::Kind::kSettings),
              HasSubstr(".toml, .yaml or .yml"));
  EXPECT_THAT(error(write("toml", kToml), Error::Kind::kSettings), HasSubstr(".toml, .yaml"));
}

TEST_F(SettingsFile, MayBeEmpty) {
  for (const char* name : {"a.toml", "a.yaml"})
    EXPECT_EQ(describe(mosaic::read_settings(write(name, ""))), "") << name;
}

TEST_F(SettingsFile, IsNamedIfItCannotBeRead) {
  EXPECT_THAT(error(folder_ + "/none.toml", Error::Kind::kNotFound), HasSubstr("No such file"));
  std::filesystem::create_directory(folder_ + "/folder.toml");
  EXPECT_THAT(error(folder_ + "/folder.toml", Error::Kind::kRead), HasSubstr("not a regular file"));
  ASSERT_EQ(mkfifo((folder_ + "/pipe.yaml").c_str(), 0600), 0);
  EXPECT_THAT(error(folder_ + "/pipe.yaml", Error::Kind::kRead), HasSubstr("not a regular file"));
  const std::string most(mosaic::kMaxSettingsBytes, '#');
  EXPECT_EQ(describe(mosaic::read_settings(write("most.toml", most))), "");
  EXPECT_THAT(error(write("more.toml", most + "#"), Error::Kind::kRead),
              HasSubstr("larger than 64 KiB"));
}

}  // namespace
