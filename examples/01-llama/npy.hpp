// Arrays `[rows, columns; f32]` in NumPy's .npy format, version 1.0, row by row.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "linnet/core/result.hpp"

namespace llama_example {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Writes beside the file that is meant and takes its place when all is there: what ends early
/// leaves what was there before. Devices and pipes are written as they are.
class NpyWriter {
 public:
  NpyWriter(NpyWriter&& other) noexcept = default;
  NpyWriter& operator=(NpyWriter&&) = delete;
  ~NpyWriter();

  static linnet::Result<NpyWriter> create(const std::string& path, std::int64_t rows,
                                          std::int64_t columns);
  linnet::Result<void> write(std::span<const float> values);
  /// Says whether all of it reached the file.
  linnet::Result<void> close();

 private:
  NpyWriter() = default;

  std::string path_, beside_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

class NpyReader {
 public:
  /// Refuses anything but little-endian f32 in row-major order, and a file shorter than it claims.
  static linnet::Result<NpyReader> open(const std::string& path);
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  /// The next row. NaN, +inf and a row of nothing but -inf are refused: they are no logits.
  linnet::Result<void> read(std::span<float> values);

 private:
  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::int64_t rows_ = 0, columns_ = 0;
};

}  // namespace llama_example
