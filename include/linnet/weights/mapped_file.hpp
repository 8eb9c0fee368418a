// The bytes of a file, memory-mapped where the system can, read into memory elsewhere.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define LINNET_WEIGHTS_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#else
#define LINNET_WEIGHTS_HAS_MMAP 0
#include <cerrno>
#include <vector>
#endif

#include "linnet/core/result.hpp"
#include "linnet/weights/messages.hpp"

namespace linnet::weights {

/// A read-only file in memory. The bytes stay where they are when the object moves. A file that
/// another process shortens while it is mapped gives SIGBUS on access, as every mapping does:
/// replace model files by renaming, not in place.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&& other) noexcept { swap(other); }
  MappedFile& operator=(MappedFile&& other) noexcept {
    MappedFile taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~MappedFile() {
#if LINNET_WEIGHTS_HAS_MMAP
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
#endif
  }

  /// Fails with the system's reason: the file is missing, unreadable, or no regular file.
  [[nodiscard]] static Result<MappedFile> open(const std::string& path);

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void swap(MappedFile& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(path_, other.path_);
#if !LINNET_WEIGHTS_HAS_MMAP
    std::swap(owned_, other.owned_);
#endif
  }

  std::span<const std::byte> bytes_;
  std::string path_;
#if !LINNET_WEIGHTS_HAS_MMAP
  std::vector<std::byte> owned_;
#endif
};

#if LINNET_WEIGHTS_HAS_MMAP

inline Result<MappedFile> MappedFile::open(const std::string& path) {
  const auto system_error = [&] {
    return file_error(path, std::strerror(errno),
                      errno == ENOENT ? ErrorCode::not_found : ErrorCode::io_error);
  };
  if (path.empty()) return file_error("``", "an empty path names no file", ErrorCode::not_found);
  // O_NONBLOCK: opening a pipe would otherwise wait for a writer before it can be refused.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error();
  struct stat status = {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    const Error error =
        known ? file_error(path, "not a regular file", ErrorCode::io_error) : system_error();
    ::close(descriptor);
    return error;
  }
  MappedFile file;
  file.path_ = path;
  if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      const Error error = system_error();
      ::close(descriptor);
      return error;
    }
    file.bytes_ = {static_cast<const std::byte*>(address), size};
  }
  ::close(descriptor);  // the mapping keeps the file
  return file;
}

#else

inline Result<MappedFile> MappedFile::open(const std::string& path) {
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  if (stream == nullptr) return file_error(path, std::strerror(errno), ErrorCode::io_error);
  MappedFile file;
  file.path_ = path;
  constexpr std::size_t chunk = std::size_t{1} << 20U;
  for (std::size_t got = chunk; got == chunk;) {
    const std::size_t before = file.owned_.size();
    file.owned_.resize(before + chunk);
    got = std::fread(file.owned_.data() + before, 1, chunk, stream);
    file.owned_.resize(before + got);
  }
  const bool failed = std::ferror(stream) != 0;
  std::fclose(stream);
  if (failed) return file_error(path, "reading failed", ErrorCode::io_error);
  file.bytes_ = file.owned_;
  return file;
}

#endif

}  // namespace linnet::weights
