#pragma once
// Writing dimensions in tests as in the language: `H % N == 0`, `2 * H <= K + 1`.

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "codegen/sema/dims/solver.hpp"

namespace linnet::sema::dims::testing {

/// Reads dimensions and relations; every name is a symbol, `size(*S)` a pack, numbered as met.
class Reader {
 public:
  ir::Dim dim(std::string_view text) {
    text_ = text;
    at_ = 0;
    ir::Dim result = sum();
    REQUIRE_MESSAGE(at_ == text_.size(), std::string(text));
    return result;
  }

  ir::Constraint relation(std::string_view text) {
    static constexpr std::pair<std::string_view, ir::Relation> signs[] = {
        {"==", ir::Relation::eq}, {"!=", ir::Relation::ne}, {"<=", ir::Relation::le},
        {">=", ir::Relation::ge}, {"<", ir::Relation::lt},  {">", ir::Relation::gt}};
    for (const auto& [sign, relation] : signs) {
      const std::size_t at = text.find(sign);
      if (at == std::string_view::npos) continue;
      return {relation, dim(text.substr(0, at)), dim(text.substr(at + sign.size())), {}};
    }
    FAIL("no relation in ", std::string(text));
    return {};
  }

  /// Facts from a list like a `where`: `N > 0; H % N == 0`.
  Facts facts(std::string_view where) {
    Facts facts;
    while (!where.empty()) {
      const std::size_t end = where.find(';');
      if (const auto one = where.substr(0, end); one.find_first_not_of(' ') != one.npos) {
        facts.add(relation(one));
      }
      where = end == where.npos ? std::string_view() : where.substr(end + 1);
    }
    return facts;
  }

  [[nodiscard]] const std::map<std::string, int>& numbers() const { return numbers_; }

 private:
  bool take(std::string_view token) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.substr(at_).substr(0, token.size()) != token) return false;
    at_ += token.size();
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return true;
  }
  ir::Dim sum() {
    ir::Dim left = product();
    for (;;) {
      if (take("+")) {
        left = add(left, product());
      } else if (take("-")) {
        left = sub(left, product());
      } else {
        return left;
      }
    }
  }
  ir::Dim product() {
    ir::Dim left = primary();
    for (;;) {
      if (take("*")) {
        left = mul(left, primary());
      } else if (take("/")) {
        left = floordiv(left, primary());
      } else if (take("%")) {
        left = mod(left, primary());
      } else {
        return left;
      }
    }
  }
  ir::Dim primary() {
    take("");
    if (take("(")) {
      ir::Dim inner = sum();
      REQUIRE(take(")"));
      return inner;
    }
    for (const bool is_min : {true, false}) {
      if (!take(is_min ? "min(" : "max(")) continue;
      const ir::Dim a = sum();
      REQUIRE(take(","));
      const ir::Dim b = sum();
      REQUIRE(take(")"));
      return is_min ? min(a, b) : max(a, b);
    }
    const bool pack = take("size(*");
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)) {
      word += text_[at_++];
    }
    REQUIRE_MESSAGE(!word.empty(), std::string(text_));
    if (pack) REQUIRE(take(")"));
    take("");
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return constant(std::stoll(word));
    const int id = numbers_.try_emplace(word, static_cast<int>(numbers_.size())).first->second;
    return pack ? pack_size(id, word) : symbol(id, word);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::map<std::string, int> numbers_;
};

}  // namespace linnet::sema::dims::testing
