#include "npy.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace llama_example {

namespace fs = std::filesystem;

using linnet::Error;
using linnet::ErrorCode;
using linnet::Result;

namespace {

constexpr char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

Error file_error(ErrorCode code, const std::string& path, std::string_view why) {
  return Error{code, path + ": " + std::string(why)};
}

}  // namespace

Result<NpyWriter> NpyWriter::create(const std::string& path, std::int64_t rows,
                                    std::int64_t columns) {
  NpyWriter made;
  made.path_ = path;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return file_error(ErrorCode::io_error, path, "is a directory");
  if (!fs::exists(status) || fs::is_regular_file(status)) made.beside_ = path + ".part";
  const std::string& opened = made.beside_.empty() ? path : made.beside_;
  made.file_.reset(std::fopen(opened.c_str(), "wb"));
  if (!made.file_) {
    made.beside_.clear();
    return file_error(ErrorCode::io_error, path, std::strerror(errno));
  }
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  // The data starts at a multiple of 64 bytes; the header ends with a newline.
  while ((sizeof magic + 4 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string start(magic, sizeof magic);
  start += {'\x01', '\x00'};
  start += static_cast<char>(header.size() & 0xFF);
  start += static_cast<char>(header.size() >> 8);
  start += header;
  if (std::fwrite(start.data(), 1, start.size(), made.file_.get()) != start.size())
    return file_error(ErrorCode::io_error, path, std::strerror(errno));
  return made;
}

NpyWriter::~NpyWriter() {
  std::error_code ignored;
  if (file_ && !beside_.empty()) fs::remove(beside_, ignored);
}

Result<void> NpyWriter::write(std::span<const float> values) {
  if (std::fwrite(values.data(), sizeof(float), values.size(), file_.get()) == values.size())
    return {};
  return file_error(ErrorCode::io_error, path_, std::strerror(errno));
}

Result<void> NpyWriter::close() {
  std::error_code error;
  if (std::fclose(file_.release()) != 0) {
    const int reason = errno;
    if (!beside_.empty()) fs::remove(beside_, error);
    return file_error(ErrorCode::io_error, path_, std::strerror(reason));
  }
  if (beside_.empty()) return {};
  // A link stays a link to the file that is replaced.
  const fs::path target = fs::weakly_canonical(path_, error);
  fs::rename(beside_, error ? fs::path(path_) : target, error);
  if (!error) return {};
  const std::string why = error.message();
  fs::remove(beside_, error);
  return file_error(ErrorCode::io_error, path_, why);
}

Result<NpyReader> NpyReader::open(const std::string& path) {
  NpyReader made;
  made.path_ = path;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // Opening a pipe would wait for whoever writes it, and its size is not known.
  if (fs::exists(status) && !fs::is_regular_file(status))
    return file_error(ErrorCode::io_error, path, "is no regular file");
  made.file_.reset(std::fopen(path.c_str(), "rb"));
  if (!made.file_) return file_error(ErrorCode::io_error, path, std::strerror(errno));
  std::FILE* file = made.file_.get();
  char start[10] = {};
  if (std::fread(start, 1, sizeof start, file) != sizeof start ||
      std::memcmp(start, magic, sizeof magic) != 0 || start[6] != 1)
    return file_error(ErrorCode::invalid_file, path, "is no .npy file of version 1.0");
  const std::size_t length = static_cast<unsigned char>(start[8]) |
                             static_cast<std::size_t>(static_cast<unsigned char>(start[9])) << 8;
  std::string header(length, '\0');
  if (std::fread(header.data(), 1, length, file) != length)
    return file_error(ErrorCode::invalid_file, path, "ends inside its header");
  const std::size_t shape = header.find("'shape': (");
  std::int64_t rows = 0, columns = 0;
  char closing = 0;
  if (header.find("'descr': '<f4'") == std::string::npos ||
      header.find("'fortran_order': False") == std::string::npos || shape == std::string::npos ||
      std::sscanf(header.c_str() + shape, "'shape': (%" SCNd64 ", %" SCNd64 "%c", &rows, &columns,
                  &closing) != 3 ||
      closing != ')' || rows < 1 || columns < 1 || rows > (1 << 30) || columns > (1 << 30))
    return file_error(ErrorCode::invalid_file, path,
                      "is no array [positions, vocabulary] of little-endian f32");
  const long data = std::ftell(file);
  std::fseek(file, 0, SEEK_END);
  if (std::ftell(file) - data < rows * columns * 4)
    return file_error(ErrorCode::invalid_file, path, "is shorter than its shape says");
  std::fseek(file, data, SEEK_SET);
  made.rows_ = rows;
  made.columns_ = columns;
  return made;
}

Result<void> NpyReader::read(std::span<float> values) {
  if (std::fread(values.data(), sizeof(float), values.size(), file_.get()) != values.size())
    return file_error(ErrorCode::io_error, path_, "cannot be read to its end");
  const bool logits =
      std::none_of(values.begin(), values.end(),
                   [](float value) { return std::isnan(value) || value == HUGE_VALF; }) &&
      std::any_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  if (!logits) return file_error(ErrorCode::invalid_file, path_, "holds rows with NaN or infinity");
  return {};
}

}  // namespace llama_example
