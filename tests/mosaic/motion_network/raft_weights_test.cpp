// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/raft_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "mosaic/base/error.h"
#include "mosaic/motion_network/safetensors.h"
#include "tests/mosaic/motion_network/random_weights.h"

namespace mosaic {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<uint8_t> file(const std::string& header, size_t values = 0) {
  return test::safetensors_file(header, std::vector<float>(values, 0.5f));
}

/// What is wrong with a file of which the tensor "a" is wanted; empty: nothing.
std::string fault(const std::vector<uint8_t>& bytes) {
  const std::string wanted[] = {"a"};
  try {
    parse_safetensors(bytes, wanted);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string tensor(const std::string& name, const std::string& shape, const std::string& offsets,
                   const std::string& type = "F32") {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape +
         "],\"data_offsets\":[" + offsets + "]}";
}

TEST(Safetensors, ReadsTheTensorsThatAreWanted) {
  const std::string header = "{ \"__metadata__\" : {\"by\" : \"u\\\"s\"} ,\n" +
                             tensor("b", "4", "0,8", "F16") + "," + tensor("a", "2,1", "8,16") +
                             "," + tensor("s", "", "16,20") + "} ";
  const auto bytes = test::safetensors_file(header, {7, 8, 1.5f, -2, 9});
  const std::string wanted[] = {"a", "s"};
  const auto tensors = parse_safetensors(bytes, wanted);
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.at("a").shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(tensors.at("a").values, (std::vector<float>{1.5f, -2}));
  EXPECT_EQ(tensors.at("s").values, std::vector<float>{9});
}

TEST(Safetensors, RefusesWhatIsNotSuchAFile) {
  EXPECT_EQ(fault(file("{" + tensor("a", "2", "0,8") + "}", 2)), "");
  EXPECT_THAT(fault({}), HasSubstr("too short"));
  EXPECT_THAT(fault({1, 2, 3}), HasSubstr("too short"));
  EXPECT_THAT(fault(std::vector<uint8_t>(100, 0xff)), HasSubstr("too long"));
  auto cut = file("{" + tensor("a", "2", "0,8") + "}", 2);
  cut.resize(20);
  EXPECT_THAT(fault(cut), HasSubstr("ends within its header"));
  for (const std::string header :
       {"", "[]", "{", "{}}", "{\"a\"}", "{\"a\":1}", "{\"a\":{}}", "{\"a\\u0062\":{}}",
        "{\"a\":{\"dtype\":\"F32\"}}", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"more\":[1]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1e3],\"data_offsets\":[0,8]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}}",
        "{\"\n\":{}}", "{\"__metadata__\":{\"a\":1}}"})
    EXPECT_THAT(fault(file(header, 2)), HasSubstr("malformed")) << header;
  EXPECT_THAT(fault(file("{\"" + std::string(300, 'x') + "\":{}}")), HasSubstr("malformed"));
  EXPECT_THAT(fault(file("{" + tensor("a", "2", "0,8") + "," + tensor("a", "2", "0,8") + "}", 2)),
              HasSubstr("twice"));
}

TEST(Safetensors, RefusesTensorsThatAreMissingOrOfAnotherKind) {
  EXPECT_THAT(fault(file("{}")), HasSubstr("no tensor a"));
  EXPECT_THAT(fault(file("{" + tensor("a", "2", "0,4", "F16") + "}", 2)),
              AllOf(HasSubstr("F16"), HasSubstr("not F32")));
  for (const char* offsets : {"0,4", "0,12", "8,0"})
    EXPECT_THAT(fault(file("{" + tensor("a", "2", offsets) + "}", 4)),
                HasSubstr("another size than its shape"));
  EXPECT_THAT(fault(file("{" + tensor("a", "2", "4,12") + "}", 2)), HasSubstr("ends before"));
  EXPECT_THAT(fault(file("{" + tensor("a", "70000000,70000000", "0,8") + "}", 2)),
              HasSubstr("too large"));
  for (const float value : {std::numeric_limits<float>::infinity(), std::nanf("")})
    EXPECT_THAT(fault(test::safetensors_file("{" + tensor("a", "1", "0,4") + "}", {value})),
                HasSubstr("not a finite number"));
}

TEST(RaftWeights, ArrangesTheWeightsByBlocks) {
  const test::RandomWeights random(3);
  const RaftWeights weights(random.bytes());
  // The update gate's second block, at the tap at the right of the middle: first the hidden state,
  // then the motion, which follows the context in the file.
  const RaftWeights::ConvolutionEntry& gates = weights.at(weights.gates);
  EXPECT_EQ(gates.outputs, 192);
  EXPECT_EQ(gates.channels[0], 96);
  EXPECT_EQ(gates.channels[1], 82);
  const size_t block = size_t{9} * (96 + 82) * 16;
  const auto& values = weights.values();
  const auto& file = random.tensor("update_block.recurrent_block.convgru1.convz.weight").values;
  EXPECT_EQ(values[gates.weights + block + (5 * 96 + 7) * 16 + 3], file[((19 * 242) + 7) * 9 + 5]);
  EXPECT_EQ(values[gates.weights + block + (9 * 96 + 5 * 82 + 7) * 16 + 3],
            file[((19 * 242) + 160 + 7) * 9 + 5]);
  const RaftWeights::ConvolutionEntry& head = weights.at(weights.head);
  EXPECT_EQ(head.outputs, 2);
  EXPECT_EQ(values[head.bias + 1], random.tensor("update_block.flow_head.conv2.bias").values[1]);
  EXPECT_EQ(values[head.bias + 2], 0);
}

TEST(RaftWeights, RefusesOtherShapes) {
  test::RandomWeights random(3);
  random.change_shape("feature_encoder.layer2.0.downsample.0.weight", {32, 64, 1, 1});
  try {
    const RaftWeights weights(random.bytes());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the tensor feature_encoder.layer2.0.downsample.0.weight is 32x64x1x1, not "
                 "64x32x1x1 as in raft_small");
  }
}

/// What load_raft_weights() throws for a file.
Error load_error(const std::string& path) {
  try {
    load_raft_weights(path);
  } catch (const Error& error) {
    return error;
  }
  return {Error::Kind::kCancelled, "none"};
}

TEST(RaftWeights, NamesTheFileAndSaysHowToMakeOne) {
  const std::string folder = testing::TempDir(), path = folder + "/raft_weights_test.safetensors";
  std::ofstream(path, std::ios::binary) << "no weights";
  const struct {
    std::string path, what;
    Error::Kind kind;
  } cases[] = {{"", "flow=raft needs", Error::Kind::kSettings},
               {folder + "/none.safetensors", "none.safetensors\"", Error::Kind::kNotFound},
               {folder, "regular", Error::Kind::kRead},
               {path, path + "\": ", Error::Kind::kFormat}};
  for (const auto& c : cases) {
    const Error error = load_error(c.path);
    EXPECT_EQ(error.kind(), c.kind) << c.path;
    EXPECT_THAT(error.what(), HasSubstr(c.what));
    EXPECT_THAT(error.hint(), HasSubstr("raft_weights.py"));
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace mosaic
