#pragma once
// One numeric conformance case while it runs: its weights and calls, and what they must give.
// The cases are JSON documents (shared/checks/run, README.md); the drivers that call them are
// written by run_cases.py, one function a case.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "linnet/core/context.hpp"
#include "linnet/core/result.hpp"
#include "linnet/ops/interface.hpp"
#include "linnet/weights/bindings.hpp"
#include "linnet/weights/tensor_table.hpp"

namespace linnet::test {

class Case {
 public:
  /// Reads the document; `problem` says what is wrong with it.
  explicit Case(const std::string& path);
  ~Case();
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  [[nodiscard]] const weights::TensorTable& weights() const;
  [[nodiscard]] const weights::Bindings& bindings() const;

  using Entry = std::function<Result<ops::Outputs>(Context&, const ops::Inputs&)>;
  /// Makes call `number` with a workspace of `workspace_bytes` and compares what it gives.
  void call(std::size_t number, std::size_t workspace_bytes, const Entry& entry);
  /// The checkpoint does not fit: every call fails with this error.
  void fail_all(const Error& error);

  /// A hash of the bits of every result so far, all NaNs being one: builds that should compute
  /// exactly the same give the same.
  [[nodiscard]] std::uint64_t digest() const;

  /// Empty when everything was as expected, otherwise the first difference.
  [[nodiscard]] const std::string& problem() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

struct CaseEntry {
  const char* name;
  void (*run)(Case&);
};

}  // namespace linnet::test
