#pragma once
// "Did you mean": names one edit away.

#include <string>
#include <string_view>
#include <vector>

namespace linnet::sema {

/// Whether one insertion, deletion, substitution or swap of neighbours turns one name into the
/// other; names that differ only in case count as well.
[[nodiscard]] bool one_edit_apart(std::string_view a, std::string_view b);

/// The first candidate one edit away, or an empty string. Names of one letter have none.
[[nodiscard]] std::string closest(std::string_view name,
                                  const std::vector<std::string>& candidates);

}  // namespace linnet::sema
