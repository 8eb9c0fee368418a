#include "linnet/weights/safetensors.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "file_builder.hpp"
#include "linnet/weights/checkpoint.hpp"

namespace {

using linnet::Format;
using linnet::test::contains;
using linnet::test::safetensors;
using linnet::weights::Checkpoint;
using linnet::weights::SafeTensors;

const std::vector<float> four_floats = {1, 2, 3, 4};

/// The message with which a header before 16 bytes of data is refused; empty where accepted.
std::string refusal(std::string_view header) {
  const auto file = safetensors(header, std::as_bytes(std::span(four_floats)));
  const auto opened = SafeTensors::from_bytes(file, "m.safetensors");
  return opened ? std::string() : opened.error().message;
}

/// A folder that is gone at the end of the test.
struct Folder {
  std::filesystem::path path;
  Folder() : path(std::filesystem::temp_directory_path() / "linnet-safetensors-test") {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }

  [[nodiscard]] std::string write(const char* name, std::span<const std::byte> bytes) const {
    std::ofstream(path / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return (path / name).string();
  }
  [[nodiscard]] std::string write(const char* name, std::string_view text) const {
    return write(name, std::as_bytes(std::span(text)));
  }
};

}  // namespace

TEST_CASE("a SafeTensors file gives its tensors") {
  const auto bytes = safetensors(
      R"({"__metadata__":{"format":"pt"},
          "a\u00e9":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
          "b":{"shape":[4],"data_offsets":[8,16],"dtype":"BF16"},
          "empty":{"dtype":"I64","shape":[0,3],"data_offsets":[16,16]}}   )",
      std::as_bytes(std::span(four_floats)));
  const auto file = SafeTensors::from_bytes(bytes);
  REQUIRE(file);
  CHECK(file->tensors().size() == 3);
  const auto* a = file->tensors().find("a\xc3\xa9");
  REQUIRE(a != nullptr);
  CHECK(a->format == Format::f32);
  CHECK(a->rank == 2);
  CHECK(a->extents[1] == 2);
  CHECK(linnet::weights::load_little_endian<float>(a->bytes.data() + 4) == 2.0F);
  CHECK(file->tensors().find("b")->format == Format::bf16);
  CHECK(file->tensors().find("empty")->bytes.empty());
}

TEST_CASE("bad SafeTensors headers are refused with the reason") {
  CHECK(refusal(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})").empty());
  const auto tensor = [](const char* body) {
    return refusal(std::string("{\"w\":{") + body + "}}");
  };
  CHECK(contains(refusal("[]"), "does not begin with `{`"));
  CHECK(contains(refusal(""), "does not begin with `{`"));
  CHECK(contains(refusal("{"), "ends early"));
  CHECK(contains(refusal("{}"), "16 bytes of data belong to no tensor"));
  CHECK(contains(refusal("{} {}"), "text after"));
  CHECK(contains(refusal(R"({"w":5})"), "tensor `w`: expected an object"));
  CHECK(contains(refusal(R"({"__metadata__":{"a":5}})"), "object of strings"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4])"), "required"));
  CHECK(contains(tensor(R"("dtype":"Q9","shape":[4],"data_offsets":[0,16])"), "dtype `Q9`"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4],"data_offsets":[0,12])"), "expected 16"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[5],"data_offsets":[0,20])"), "truncated?"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4],"data_offsets":[16,0])"), "bytes 16 to 0"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[-4],"data_offsets":[0,16])"), "`shape`"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4.0],"data_offsets":[0,16])"), "`shape`"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,16])"),
                 "`shape`"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0])"),
                 "too many elements"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4])"),
                 "at most 8"));
  CHECK(contains(tensor(R"("dtype":"F32","shape":[4],"data_offsets":[0,16,16])"), "two whole"));
  CHECK(contains(tensor(R"("dtype":"F32","dtype":"F32","shape":[4],"data_offsets":[0,16])"),
                 "repeated member `dtype`"));
  CHECK(contains(tensor(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])"), "whole bytes"));
  CHECK(contains(refusal(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                         R"("w":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})"),
                 "tensor `w` occurs twice"));
  CHECK(contains(refusal(R"({"v":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},)"
                         R"("w":{"dtype":"F32","shape":[3],"data_offsets":[4,16]}})"),
                 "`v` and `w` overlap"));
  CHECK(contains(refusal(R"({"v":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                         R"("w":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})"),
                 "4 bytes of data belong to no tensor"));
  CHECK(
      contains(refusal(std::string(R"({"w":)") + std::string(100000, '[')), "expected an object"));
}

TEST_CASE("a length field that the file cannot hold is refused") {
  linnet::test::Bytes bytes;
  bytes.put(UINT64_MAX).raw("{}");
  CHECK(contains(SafeTensors::from_bytes(bytes.span()).error().message, "a header of"));
  CHECK(contains(SafeTensors::from_bytes(bytes.span().first(3)).error().message, "shorter than"));
  CHECK(contains(SafeTensors::from_bytes({}).error().message, "empty"));
}

TEST_CASE("every truncation of a SafeTensors file is refused") {
  const auto file = safetensors(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
                                std::as_bytes(std::span(four_floats)));
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(SafeTensors::from_bytes(std::span(file).first(size)));
  }
}

TEST_CASE("a sharded checkpoint is one table of names") {
  const Folder folder;
  const auto one = safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                               R"("other":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                               std::as_bytes(std::span(four_floats)));
  const auto two = safetensors(R"({"b":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
                               std::as_bytes(std::span(four_floats)));
  (void)folder.write("one.safetensors", one);
  (void)folder.write("two.safetensors", two);
  const auto index = [&](std::string_view map) {
    return folder.write(
        "i.json", "{\"metadata\":{\"total_size\":1},\"weight_map\":" + std::string(map) + "}");
  };

  const auto good = Checkpoint::open(index(R"({"b":"two.safetensors","a":"one.safetensors"})"));
  REQUIRE(good);
  CHECK(good->tensors().size() == 2);  // `other` is not in the index
  CHECK(good->tensors().find("b")->bytes.size() == 16);
  CHECK(linnet::weights::load_little_endian<float>(good->tensors().find("a")->bytes.data()) == 1);
  CHECK(contains(good->tensors().find("a")->file, "one.safetensors"));
  CHECK(good->size_bytes() == one.size() + two.size());

  const auto message = [&](std::string_view map) {
    const auto opened = SafeTensors::open_index(index(map));
    return opened ? std::string() : opened.error().message;
  };
  CHECK(contains(message(R"({"c":"two.safetensors"})"), "`c` is not in `two.safetensors`"));
  CHECK(contains(message(R"({"c":"three.safetensors"})"), "three.safetensors: No such file"));
  CHECK(contains(message(R"({"c":"../two.safetensors"})"), "no plain file name"));
  CHECK(contains(message(R"({"c":"/etc/passwd"})"), "no plain file name"));
  CHECK(contains(message(R"({"a":"one.safetensors","a":"one.safetensors"})"), "occurs twice"));
  CHECK(contains(message("5"), "must be an object"));
  CHECK(contains(SafeTensors::open_index(folder.write("i.json", "{}")).error().message,
                 "`weight_map` is missing"));
}

TEST_CASE("a checkpoint is opened as what it is") {
  const Folder folder;
  const auto kind = [&](std::string_view bytes) {
    const auto opened = Checkpoint::open(folder.write("model", bytes));
    return opened ? std::string(opened->gguf() != nullptr ? "gguf" : "safetensors")
                  : opened.error().message;
  };
  const auto gguf = linnet::test::GgufBuilder().build();
  CHECK(kind({reinterpret_cast<const char*>(gguf.data()), gguf.size()}) == "gguf");
  CHECK(kind(std::string_view("\2\0\0\0\0\0\0\0{}", 10)) == "safetensors");
  CHECK(contains(kind("GGUF"), "ends inside"));
  CHECK(contains(kind(""), "empty"));
  CHECK(contains(kind("hello, world"), "model: neither a GGUF nor a SafeTensors file"));
  CHECK(contains(kind(std::string_view("\3\0\0\0\0\0\0\0{\"", 10)), "model: "));
  CHECK_FALSE(contains(kind(std::string_view("\3\0\0\0\0\0\0\0{\"", 10)), "neither"));
}

TEST_CASE("what is no regular file is refused at once") {
  const Folder folder;
  const std::string pipe = folder.write("pipe", "");
  std::filesystem::remove(pipe);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);  // nobody writes: opening must not wait
  const auto message = [](const std::string& path) {
    const auto opened = Checkpoint::open(path);
    return opened ? std::string() : opened.error().message;
  };
  CHECK(contains(message(pipe), "pipe: not a regular file"));
  CHECK(contains(message("/dev/zero"), "/dev/zero: not a regular file"));
  CHECK(contains(message(std::filesystem::path(pipe).parent_path().string()), "not a regular"));
  CHECK(message("") == "``: an empty path names no file");
}

TEST_CASE("names from files are fit for a terminal") {
  using linnet::weights::in_backquotes;
  CHECK(in_backquotes("blk.0") == "`blk.0`");
  CHECK(in_backquotes("caf\xc3\xa9") == "`caf\xc3\xa9`");
  CHECK(in_backquotes("\x1b[2J\xff\xc2\x9b`\x7f") == "`?[2J????`");
  CHECK(in_backquotes("a\xc3") == "`a?`");
  // Cut between characters, never inside one.
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x\xc3\xa9";
  const std::string cut = in_backquotes(text);
  CHECK(cut == "`" + text.substr(0, 120) + "...`");
}
