#include "codegen/syntax/ast.hpp"

#include <utility>

namespace linnet::syntax {

/// A chain of operators nests to the left as deep as it is long, so it is taken apart in a loop.
Binary::~Binary() {
  while (lhs != nullptr && lhs->kind == ExprKind::binary) {
    ExprPtr next = std::move(static_cast<Binary&>(*lhs).lhs);
    lhs = std::move(next);
  }
}

std::string_view spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::logical_or:
      return "||";
    case BinaryOp::logical_and:
      return "&&";
    case BinaryOp::eq:
      return "==";
    case BinaryOp::ne:
      return "!=";
    case BinaryOp::lt:
      return "<";
    case BinaryOp::le:
      return "<=";
    case BinaryOp::gt:
      return ">";
    case BinaryOp::ge:
      return ">=";
    case BinaryOp::bit_or:
      return "|";
    case BinaryOp::bit_xor:
      return "^";
    case BinaryOp::bit_and:
      return "&";
    case BinaryOp::add:
      return "+";
    case BinaryOp::sub:
      return "-";
    case BinaryOp::mul:
      return "*";
    case BinaryOp::div:
      return "/";
    case BinaryOp::rem:
      return "%";
  }
  return "";
}

std::string_view spelling(UnaryOp op) {
  switch (op) {
    case UnaryOp::logical_not:
      return "!";
    case UnaryOp::minus:
      return "-";
    case UnaryOp::plus:
      return "+";
  }
  return "";
}

std::string_view spelling(ReductionOp op) {
  switch (op) {
    case ReductionOp::sum:
      return "sum";
    case ReductionOp::prod:
      return "prod";
    case ReductionOp::max:
      return "max";
    case ReductionOp::min:
      return "min";
    case ReductionOp::any:
      return "any";
    case ReductionOp::all:
      return "all";
  }
  return "";
}

std::string_view spelling(RelationOp op) {
  switch (op) {
    case RelationOp::eq:
      return "==";
    case RelationOp::ne:
      return "!=";
    case RelationOp::lt:
      return "<";
    case RelationOp::le:
      return "<=";
    case RelationOp::gt:
      return ">";
    case RelationOp::ge:
      return ">=";
  }
  return "";
}

std::string_view spelling(WriteOp op) {
  switch (op) {
    case WriteOp::store:
      return "store";
    case WriteOp::atomic_add:
      return "atomic_add";
    case WriteOp::atomic_max:
      return "atomic_max";
    case WriteOp::atomic_min:
      return "atomic_min";
  }
  return "";
}

std::string_view spelling(GenericParamKind kind) {
  switch (kind) {
    case GenericParamKind::dim:
      return "Dim";
    case GenericParamKind::shape:
      return "Shape";
    case GenericParamKind::dtype:
      return "DType";
    case GenericParamKind::numeric:
      return "Numeric";
    case GenericParamKind::integer:
      return "Integer";
    case GenericParamKind::floating:
      return "Float";
  }
  return "";
}

std::string_view spelling(MemberKind kind) {
  switch (kind) {
    case MemberKind::param:
      return "param";
    case MemberKind::buffer:
      return "buffer";
    case MemberKind::state:
      return "state";
    case MemberKind::sub:
      return "sub";
  }
  return "";
}

std::string_view spelling(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::fn:
      return "fn";
    case FunctionKind::op:
      return "op";
    case FunctionKind::entry:
      return "entry";
  }
  return "";
}

}  // namespace linnet::syntax
