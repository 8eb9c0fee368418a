// Every Linnet program at hand: it checks clean, and its checked program keeps the seam's promises.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "codegen/sema/verify.hpp"
#include "tests/unit/sema/support.hpp"

namespace fs = std::filesystem;
using linnet::sema::testing::check_files;
using linnet::sema::testing::Checked;

namespace {

std::vector<std::string> programs_below(const fs::path& folder) {
  std::vector<std::string> found;
  if (!fs::is_directory(folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".linnet") found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void check_all(const fs::path& folder, bool may_warn) {
  for (const std::string& file : programs_below(folder)) {
    CAPTURE(file);
    const Checked checked = check_files({file});
    CHECK(checked.sink.error_count() == 0);
    if (!may_warn) CHECK(checked.summary() == "ok");
    if (checked.program.ok) CHECK(linnet::sema::find_flaw(checked.program) == "");
  }
}

}  // namespace

TEST_CASE("the standard library and the examples") {
  const fs::path source(LINNET_SOURCE_DIR);
  CHECK_FALSE(programs_below(source / "stdlib").empty());
  check_all(source / "stdlib", false);
  check_all(source / "examples", false);
}

TEST_CASE("the conformance programs, where they are") {
  const fs::path checks = fs::path(LINNET_SOURCE_DIR) / ".." / "shared" / "checks";
  check_all(checks / "lang" / "valid", true);
  check_all(checks / "run", false);
}
