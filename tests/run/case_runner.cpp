// Runs the cases that are compiled into the program: `program CASES-DIR`. Prints a line for
// each, `pass NAME DIGEST` or `FAIL NAME: what differs`, and exits with 1 if one failed.
#include "case_runner.hpp"

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linnet/core/dtype.hpp"
#include "linnet/ops/memory.hpp"

namespace linnet::test {

using nlohmann::json;

namespace {

double number_of(const json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    return text == "-inf" ? -infinity : infinity;
  }
  return value.get<double>();
}

DType dtype_of_name(const std::string& name) {
  for (int i = 0; i < dtype_count; ++i) {
    if (dtype_name(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  std::fprintf(stderr, "unknown dtype %s\n", name.c_str());
  std::exit(2);
}

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* const first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

void append_element(std::vector<std::byte>& bytes, DType dtype, const json& value) {
  const auto integer = [&]<class T>(T) {
    append(bytes, value.is_number_unsigned() ? static_cast<T>(value.get<std::uint64_t>())
                                             : static_cast<T>(value.get<std::int64_t>()));
  };
  switch (dtype) {
    case DType::boolean:
      append(bytes, value.get<bool>());
      return;
    case DType::i8:
      return integer(std::int8_t{});
    case DType::i16:
      return integer(std::int16_t{});
    case DType::i32:
      return integer(std::int32_t{});
    case DType::i64:
      return integer(std::int64_t{});
    case DType::u8:
      return integer(std::uint8_t{});
    case DType::u16:
      return integer(std::uint16_t{});
    case DType::u32:
      return integer(std::uint32_t{});
    case DType::u64:
      return integer(std::uint64_t{});
    case DType::f16:
      return append(bytes, f16(number_of(value)));
    case DType::bf16:
      return append(bytes, bf16(number_of(value)));
    case DType::f32:
      return append(bytes, static_cast<float>(number_of(value)));
    case DType::f64:
      return append(bytes, number_of(value));
  }
}

/// A tensor of a document, with the memory of its elements.
struct HostTensor {
  AnyTensor tensor;
  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;
};

HostTensor read_tensor(const json& value) {
  HostTensor host;
  host.tensor.dtype = dtype_of_name(value.at("dtype").get<std::string>());
  host.tensor.extents = value.at("shape").get<std::vector<std::int64_t>>();
  std::vector<std::byte> bytes;
  for (const json& element : value.at("data")) append_element(bytes, host.tensor.dtype, element);
  // An empty tensor has an address too.
  host.memory = std::make_unique<std::byte[]>(bytes.size() + 64);
  if (!bytes.empty()) std::memcpy(host.memory.get(), bytes.data(), bytes.size());
  host.tensor.data = host.memory.get();
  host.size = bytes.size();
  return host;
}

/// The elements of a float dtype as doubles; false for other dtypes.
bool to_doubles(DType dtype, const std::byte* bytes, std::size_t count, std::vector<double>& out) {
  const auto read = [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
      out.push_back(static_cast<double>(value));
    }
    return true;
  };
  switch (dtype) {
    case DType::f16:
      return read(f16{});
    case DType::bf16:
      return read(bf16{});
    case DType::f32:
      return read(float{});
    case DType::f64:
      return read(double{});
    default:
      return false;
  }
}

std::string difference(const ops::Output& got, const HostTensor& want, double rtol, double atol) {
  if (got.dtype != want.tensor.dtype) {
    return "dtype " + std::string(dtype_name(got.dtype)) + ", expected " +
           std::string(dtype_name(want.tensor.dtype));
  }
  if (got.extents != want.tensor.extents) {
    return "shape " + shape_string(got.extents) + ", expected " + shape_string(want.tensor.extents);
  }
  if (got.bytes.size() != want.size) return "another number of elements";
  const std::size_t count = want.size / dtype_size(got.dtype);
  std::vector<double> a;
  std::vector<double> b;
  if (!to_doubles(got.dtype, got.bytes.data(), count, a)) {
    const std::size_t size = dtype_size(got.dtype);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(got.bytes.data() + i * size, want.memory.get() + i * size, size) == 0) {
        continue;
      }
      std::int64_t values[2] = {};
      std::memcpy(&values[0], got.bytes.data() + i * size, size);
      std::memcpy(&values[1], want.memory.get() + i * size, size);
      return "element " + std::to_string(i) + " is bits " + std::to_string(values[0]) +
             ", expected " + std::to_string(values[1]);
    }
    return "";
  }
  to_doubles(got.dtype, want.memory.get(), count, b);
  for (std::size_t i = 0; i < count; ++i) {
    const bool equal = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const bool near = std::isfinite(a[i]) && std::isfinite(b[i]) &&
                      std::fabs(a[i] - b[i]) <= atol + rtol * std::fabs(b[i]);
    if (equal || near) continue;
    char text[128];
    std::snprintf(text, sizeof text, "element %zu is %.9g, expected %.9g", i, a[i], b[i]);
    return text;
  }
  return "";
}

/// FNV-1a over the bytes, every NaN as the same one.
std::uint64_t add_to_digest(std::uint64_t digest, const ops::Output& output) {
  const auto add = [&digest](std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      digest = (digest ^ ((value >> (8 * i)) & 0xff)) * 0x100000001b3;
    }
  };
  const std::size_t size = dtype_size(output.dtype);
  std::vector<double> values;
  const bool is_float =
      to_doubles(output.dtype, output.bytes.data(), output.bytes.size() / size, values);
  for (std::size_t i = 0; i * size < output.bytes.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, output.bytes.data() + i * size, size);
    add(is_float && std::isnan(values[i]) ? ~std::uint64_t{0} : bits, size);
  }
  return digest;
}

}  // namespace

struct Case::Data {
  json document;
  std::vector<HostTensor> memory;
  weights::TensorTable table;
  weights::Bindings bindings;
  std::string problem;
  std::size_t made = 0;  // calls
  std::uint64_t digest = 0xcbf29ce484222325;

  void differ(std::size_t call, const std::string& what) {
    if (problem.empty()) problem = "call " + std::to_string(call) + ": " + what;
  }
  void compare_error(std::size_t call, const std::string& message) {
    const json& expected = document.at("calls").at(call);
    if (!expected.contains("error")) return differ(call, "failed: " + message);
    const auto& words = expected.at("error").get_ref<const std::string&>();
    if (message.find(words) == std::string::npos) {
      differ(call, "the error `" + message + "` does not contain `" + words + "`");
    }
  }
};

Case::Case(const std::string& path) : data_(std::make_unique<Data>()) {
  std::ifstream file(path);
  data_->document = json::parse(file, nullptr, false);
  if (data_->document.is_discarded()) {
    data_->problem = "cannot read " + path;
    return;
  }
  for (const auto& [name, value] : data_->document.at("weights").items()) {
    data_->memory.push_back(read_tensor(value));
    const HostTensor& host = data_->memory.back();
    weights::StoredTensor stored;
    stored.name = name;
    stored.file = "case";
    stored.type_name = dtype_name(host.tensor.dtype);
    stored.format = dense_format(host.tensor.dtype);
    stored.rank = static_cast<std::uint8_t>(host.tensor.extents.size());
    for (std::size_t i = 0; i < host.tensor.extents.size(); ++i) {
      stored.extents[i] = host.tensor.extents[i];
    }
    stored.bytes = {host.memory.get(), host.size};
    data_->table.add(std::move(stored));
  }
  if (auto error = data_->table.finish()) data_->problem = error->message;
  if (data_->document.contains("bindings")) {
    auto bindings = weights::Bindings::parse(data_->document.at("bindings").dump(), "bindings");
    if (bindings) {
      data_->bindings = std::move(*bindings);
    } else {
      data_->problem = bindings.error().message;
    }
  }
}

Case::~Case() = default;

const weights::TensorTable& Case::weights() const {
  return data_->table;
}
const weights::Bindings& Case::bindings() const {
  return data_->bindings;
}

const std::string& Case::problem() const {
  static const std::string uncalled = "not every call was made";
  if (data_->problem.empty() && data_->made != data_->document.at("calls").size()) return uncalled;
  return data_->problem;
}

std::uint64_t Case::digest() const {
  return data_->digest;
}

void Case::fail_all(const Error& error) {
  for (std::size_t call = 0; call < data_->document.at("calls").size(); ++call) {
    data_->compare_error(call, error.message);
    ++data_->made;
  }
}

void Case::call(std::size_t number, std::size_t workspace_bytes, const Entry& entry) {
  ++data_->made;
  const json& call = data_->document.at("calls").at(number);
  std::vector<HostTensor> memory;
  ops::Inputs inputs;
  for (const auto& [name, value] : call.at("inputs").items()) {
    ops::NamedInput input{name, {}};
    const json list = value.is_array() ? value : json::array({value});
    for (const json& part : list) {
      memory.push_back(read_tensor(part));
      input.tensors.push_back(memory.back().tensor);
    }
    inputs.push_back(std::move(input));
  }
  // Garbage in the workspace shows reads of what was never written.
  std::vector<std::byte> workspace(workspace_bytes, std::byte{0xcd});
  Context context(workspace);
  const Result<ops::Outputs> result = entry(context, inputs);
  if (!result) return data_->compare_error(number, result.error().message);
  if (call.contains("error")) {
    return data_->differ(
        number, "gave a result, expected the error `" + call.at("error").get<std::string>() + "`");
  }
  const json& outputs = call.at("outputs");
  if (outputs.size() != result->size()) {
    return data_->differ(number, std::to_string(result->size()) + " results, expected " +
                                     std::to_string(outputs.size()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    data_->digest = add_to_digest(data_->digest, (*result)[i]);
    const HostTensor want = read_tensor(outputs[i]);
    const std::string what = difference((*result)[i], want, call.at("rtol").get<double>(),
                                        call.at("atol").get<double>());
    if (!what.empty()) return data_->differ(number, "result " + std::to_string(i) + ": " + what);
  }
}

extern const CaseEntry case_entries[];
extern const std::size_t case_count;

}  // namespace linnet::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CASES-DIR\n", argv[0]);
    return 2;
  }
  bool failed = false;
  for (std::size_t i = 0; i < linnet::test::case_count; ++i) {
    const linnet::test::CaseEntry& entry = linnet::test::case_entries[i];
    linnet::test::Case running(std::string(argv[1]) + "/" + entry.name + ".json");
    entry.run(running);
    const std::string& problem = running.problem();
    failed = failed || !problem.empty();
    if (problem.empty()) {
      std::printf("pass %s %016" PRIx64 "\n", entry.name, running.digest());
    } else {
      std::printf("FAIL %s: %s\n", entry.name, problem.c_str());
    }
    std::fflush(stdout);
  }
  return failed ? 1 : 0;
}
