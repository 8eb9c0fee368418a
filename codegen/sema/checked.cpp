#include "codegen/sema/checked.hpp"

#include <utility>

namespace linnet::sema {

const ExprPtr* left_operand(const Expr& expr) {
  if (const auto* op = std::get_if<Elementwise>(&expr.node)) {
    return op->operands.empty() ? nullptr : &op->operands.front();
  }
  const auto* op = std::get_if<ShortCircuit>(&expr.node);
  return op != nullptr ? &op->left : nullptr;
}

Expr::~Expr() {
  const auto take_left = [](Expr& expr) {
    auto* left = const_cast<ExprPtr*>(left_operand(expr));
    return left != nullptr ? std::move(*left) : nullptr;
  };
  for (ExprPtr left = take_left(*this); left != nullptr;) {
    ExprPtr next = take_left(*left);
    left = std::move(next);
  }
}

}  // namespace linnet::sema
