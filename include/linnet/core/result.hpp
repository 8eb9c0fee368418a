#pragma once
// Result<T>: a value, or an Error that says what went wrong. Nothing here throws or aborts.

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace linnet {

enum class ErrorCode : std::uint8_t {
  none,
  invalid_argument,  ///< a value that makes no sense where it was given
  shape_mismatch,    ///< rank, extent or equality of axes
  dtype_mismatch,
  constraint_violated,  ///< a `where` of the program
  out_of_range,         ///< a position outside its axis
  division_by_zero,
  workspace_too_small,
  not_found,  ///< a file, a tensor, a key
  io_error,
  invalid_file,  ///< a file that is not what it claims to be
  unsupported,
  out_of_memory,
  state_invalid,  ///< the model's state must be reset
};

/// As messages spell it, for logs: "shape mismatch".
[[nodiscard]] constexpr std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::none:
      return "no error";
    case ErrorCode::invalid_argument:
      return "invalid argument";
    case ErrorCode::shape_mismatch:
      return "shape mismatch";
    case ErrorCode::dtype_mismatch:
      return "dtype mismatch";
    case ErrorCode::constraint_violated:
      return "constraint violated";
    case ErrorCode::out_of_range:
      return "out of range";
    case ErrorCode::division_by_zero:
      return "division by zero";
    case ErrorCode::workspace_too_small:
      return "workspace too small";
    case ErrorCode::not_found:
      return "not found";
    case ErrorCode::io_error:
      return "input/output error";
    case ErrorCode::invalid_file:
      return "invalid file";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::out_of_memory:
      return "out of memory";
    case ErrorCode::state_invalid:
      return "state invalid";
  }
  return "unknown error";
}

struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;  ///< names the thing; several findings are separated by line ends
};

/// A value of type `T` or an Error. Test it, then read the one that is there:
///
///   auto logits = model.forward(context, tokens);
///   if (!logits) return report(logits.error());
///   use(*logits);
///
/// Reading the one that is not there is a programming error. Holding a value allocates nothing
/// beyond what the value itself does.
template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T> && !std::is_same_v<std::remove_cv_t<T>, Error>);

 public:
  using value_type = T;

  Result(T value) : has_value_(true) { new (&value_) T(std::move(value)); }
  Result(Error error) : has_value_(false) { new (&error_) Error(std::move(error)); }
  Result(ErrorCode code, std::string message) : Result(Error{code, std::move(message)}) {}

  Result(const Result& other) : has_value_(other.has_value_) { construct(other); }
  Result(Result&& other) noexcept : has_value_(other.has_value_) { construct(std::move(other)); }
  Result& operator=(const Result& other) {
    if (this != &other) {
      destroy();
      has_value_ = other.has_value_;
      construct(other);
    }
    return *this;
  }
  Result& operator=(Result&& other) noexcept {
    if (this != &other) {
      destroy();
      has_value_ = other.has_value_;
      construct(std::move(other));
    }
    return *this;
  }
  ~Result() { destroy(); }

  [[nodiscard]] bool has_value() const { return has_value_; }
  explicit operator bool() const { return has_value_; }

  [[nodiscard]] T& value() & { return value_; }
  [[nodiscard]] const T& value() const& { return value_; }
  [[nodiscard]] T&& value() && { return std::move(value_); }
  [[nodiscard]] T& operator*() & { return value_; }
  [[nodiscard]] const T& operator*() const& { return value_; }
  [[nodiscard]] T&& operator*() && { return std::move(value_); }
  [[nodiscard]] T* operator->() { return &value_; }
  [[nodiscard]] const T* operator->() const { return &value_; }

  [[nodiscard]] Error& error() & { return error_; }
  [[nodiscard]] const Error& error() const& { return error_; }
  [[nodiscard]] Error&& error() && { return std::move(error_); }

 private:
  template <class Other>
  void construct(Other&& other) {
    if (has_value_) {
      new (&value_) T(std::forward<Other>(other).value());
    } else {
      new (&error_) Error(std::forward<Other>(other).error());
    }
  }
  void destroy() {
    if (has_value_) {
      value_.~T();
    } else {
      error_.~Error();
    }
  }

  union {
    T value_;
    Error error_;
  };
  bool has_value_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)), has_value_(false) {}
  Result(ErrorCode code, std::string message) : Result(Error{code, std::move(message)}) {}

  [[nodiscard]] bool has_value() const { return has_value_; }
  explicit operator bool() const { return has_value_; }
  [[nodiscard]] const Error& error() const& { return error_; }
  [[nodiscard]] Error&& error() && { return std::move(error_); }

 private:
  Error error_{ErrorCode::none, {}};
  bool has_value_ = true;
};

}  // namespace linnet
