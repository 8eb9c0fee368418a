#include "linnet/weights/block_formats.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

using linnet::Format;
using linnet::weights::decode_row;
using linnet::weights::half_to_float;

std::vector<unsigned char> from_hex(const std::string& hex) {
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<unsigned char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

struct Golden {
  std::vector<unsigned char> stored;
  std::vector<float> values;
};

std::map<std::string, Golden> read_goldens() {
  std::ifstream file(LINNET_SOURCE_DIR "/tests/unit/weights/block_goldens.txt");
  std::map<std::string, Golden> goldens;
  std::string name;
  std::string stored;
  std::string values;
  while (file >> name >> stored >> values) {
    Golden golden{from_hex(stored), {}};
    const auto bytes = from_hex(values);
    golden.values.resize(bytes.size() / 4);
    std::memcpy(golden.values.data(), bytes.data(), bytes.size());
    goldens[name] = golden;
  }
  return goldens;
}

const Format block_format_list[] = {
    Format::q8_0, Format::q4_0, Format::q4_1, Format::q5_0, Format::q5_1,  Format::q2_k,
    Format::q3_k, Format::q4_k, Format::q5_k, Format::q6_k, Format::mxfp4,
};

}  // namespace

TEST_CASE("every block format decodes to the reference's bits") {
  const auto goldens = read_goldens();
  for (const Format format : block_format_list) {
    CAPTURE(linnet::format_name(format));
    const auto found = goldens.find(std::string(linnet::format_name(format)));
    REQUIRE(found != goldens.end());
    const Golden& golden = found->second;
    const auto n = static_cast<std::int64_t>(golden.values.size());
    REQUIRE(linnet::weights::row_bytes(format, n) ==
            static_cast<std::int64_t>(golden.stored.size()));

    // One byte past an aligned address: rows may start anywhere.
    std::vector<unsigned char> shifted(golden.stored.size() + 1);
    std::memcpy(shifted.data() + 1, golden.stored.data(), golden.stored.size());
    std::vector<float> got(golden.values.size());
    decode_row(format, shifted.data() + 1, n, got.data());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CAPTURE(i);
      REQUIRE(std::bit_cast<std::uint32_t>(got[i]) ==
              std::bit_cast<std::uint32_t>(golden.values[i]));
    }
  }
}

TEST_CASE("a row may end inside a block and nothing past n is written") {
  const auto goldens = read_goldens();
  const Golden& golden = goldens.at("Q4_1");
  std::vector<float> got(40, -7.0F);
  decode_row(Format::q4_1, golden.stored.data(), 37, got.data());
  for (std::size_t i = 0; i < 37; ++i) CHECK(got[i] == golden.values[i]);
  for (std::size_t i = 37; i < 40; ++i) CHECK(got[i] == -7.0F);
  decode_row(Format::q4_1, golden.stored.data(), 0, nullptr);
}

TEST_CASE("half precision covers zeros, subnormals, infinities and NaN") {
  CHECK(half_to_float(0x3c00) == 1.0F);
  CHECK(half_to_float(0xc000) == -2.0F);
  CHECK(half_to_float(0x7bff) == 65504.0F);
  CHECK(half_to_float(0x0001) == 0x1p-24F);
  CHECK(half_to_float(0x83ff) == -1023 * 0x1p-24F);
  CHECK(std::bit_cast<std::uint32_t>(half_to_float(0x8000)) == 0x80000000U);
  CHECK(std::bit_cast<std::uint32_t>(half_to_float(0x7c00)) == 0x7f800000U);
  CHECK(std::bit_cast<std::uint32_t>(half_to_float(0x7e01)) == 0x7fc02000U);
}

TEST_CASE("dense rows decode through their dtype") {
  float out[3];
  const std::int16_t ints[] = {-3, 0, 32767};
  decode_row(Format::i16, ints, 3, out);
  CHECK(out[0] == -3.0F);
  CHECK(out[2] == 32767.0F);
  const std::uint16_t brains[] = {0x3f80, 0xc040};
  decode_row(Format::bf16, brains, 2, out);
  CHECK(out[0] == 1.0F);
  CHECK(out[1] == -3.0F);
  const double doubles[] = {0.1};
  decode_row(Format::f64, doubles, 1, out);
  CHECK(out[0] == 0.1F);
}
