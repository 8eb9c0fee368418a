// Expressions: each makes its ops where they are evaluated and gives the id of its value.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "codegen/ir/build.hpp"
#include "codegen/ir/effects.hpp"
#include "codegen/ir/lower/body.hpp"

namespace linnet::ir::detail {
namespace {

std::size_t at(int position) {
  return static_cast<std::size_t>(position);
}

bool is_float(const Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar >= Scalar::f16;
}

bool is_bool(const Dtype& dtype) {
  return !dtype.is_variable && dtype.scalar == Scalar::boolean;
}

/// A constant that is one literal is written where it is used, others are made once.
bool is_literal(const sema::ExprNode& node) {
  return std::holds_alternative<sema::BoolValue>(node) ||
         std::holds_alternative<sema::IntValue>(node) ||
         std::holds_alternative<sema::FloatValue>(node) ||
         std::holds_alternative<sema::EnumValue>(node) ||
         std::holds_alternative<sema::DimValue>(node);
}

/// Whether a dimension that is no dimension yet (`N - 9`) can be below zero, by its signs alone.
bool may_be_negative(const DimNode& dim) {
  const auto any = [&dim] {
    return std::any_of(dim.args.begin(), dim.args.end(),
                       [](const Dim& arg) { return may_be_negative(*arg); });
  };
  switch (dim.kind) {
    case DimKind::constant:
      return dim.value < 0;
    case DimKind::symbol:
    case DimKind::pack_size:
      return false;
    case DimKind::floordiv:
    case DimKind::mod:
      return may_be_negative(*dim.args[0]);
    case DimKind::add:
    case DimKind::mul:
    case DimKind::min:
    case DimKind::max:
      return any();
  }
  return true;
}

bool divides_negative(const DimNode& dim) {
  const bool divides = dim.kind == DimKind::floordiv || dim.kind == DimKind::mod;
  if (divides && may_be_negative(*dim.args[0])) return true;
  return std::any_of(dim.args.begin(), dim.args.end(),
                     [](const Dim& arg) { return divides_negative(*arg); });
}

/// The value of an expression without symbols, as integers divide; nothing when it overflows.
std::optional<std::int64_t> truncated_constant(const DimNode& dim) {
  if (dim.kind == DimKind::constant) return dim.value;
  if (dim.args.empty()) return std::nullopt;
  std::optional<std::int64_t> made = truncated_constant(*dim.args[0]);
  for (std::size_t i = 1; i < dim.args.size() && made; ++i) {
    const auto next = truncated_constant(*dim.args[i]);
    if (!next) return std::nullopt;
    std::int64_t result = 0;
    const bool divides = dim.kind == DimKind::floordiv || dim.kind == DimKind::mod;
    if (divides && *next <= 0) return std::nullopt;
    switch (dim.kind) {
      case DimKind::add:
        if (__builtin_add_overflow(*made, *next, &result)) return std::nullopt;
        break;
      case DimKind::mul:
        if (__builtin_mul_overflow(*made, *next, &result)) return std::nullopt;
        break;
      case DimKind::floordiv:
        result = *made / *next;
        break;
      case DimKind::mod:
        result = *made % *next;
        break;
      case DimKind::min:
        result = std::min(*made, *next);
        break;
      default:
        result = std::max(*made, *next);
        break;
    }
    made = result;
  }
  return made;
}

OpKind value_op(DimKind kind) {
  switch (kind) {
    case DimKind::mul:
      return OpKind::mul;
    case DimKind::floordiv:
      return OpKind::div;
    case DimKind::mod:
      return OpKind::rem;
    case DimKind::min:
      return OpKind::min;
    case DimKind::max:
      return OpKind::max;
    default:
      return OpKind::add;
  }
}

}  // namespace

int Body::expr(const sema::Expr& e) {
  return std::visit([&](const auto& node_value) { return node(e, node_value); }, e.node);
}

int Body::node(const sema::Expr& e, std::monostate) {
  // Only programs with errors have empty expressions, and those are not lowered.
  return emit(OpKind::option_none, {}, e.type);
}

// --- constants -----------------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::BoolValue& value) {
  Attributes attrs;
  attrs.value = std::int64_t{value.value ? 1 : 0};
  return emit(OpKind::const_bool, {}, e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::IntValue& value) {
  Attributes attrs;
  if (is_float(e.type->dtype)) {
    attrs.value = static_cast<double>(value.value);
    return emit(OpKind::const_float, {}, e.type, std::move(attrs));
  }
  attrs.value = value.value;
  return emit(OpKind::const_int, {}, e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::FloatValue& value) {
  Attributes attrs;
  attrs.value = value.value;
  return emit(OpKind::const_float, {}, e.type, std::move(attrs));
}

int Body::dim_value(const Dim& dim) {
  Attributes attrs;
  const Type type = make_scalar(Scalar::i64);
  if (const auto constant = constant_value(dim)) {
    attrs.value = *constant;
    return emit(OpKind::const_int, {}, type, std::move(attrs));
  }
  attrs.value = dim;
  return emit(OpKind::const_dim, {}, type, std::move(attrs));
}

int Body::integer_value(const Dim& dim) {
  if (!divides_negative(*dim)) return dim_value(dim);
  if (const auto constant = truncated_constant(*dim)) return dim_value(make_constant(*constant));
  const auto kind = value_op(dim->kind);
  int value = integer_value(dim->args[0]);
  for (std::size_t i = 1; i < dim->args.size(); ++i) {
    value = emit(kind, {value, integer_value(dim->args[i])}, make_scalar(Scalar::i64));
  }
  return value;
}

int Body::node(const sema::Expr& e, const sema::DimValue& value) {
  const int dim = integer_value(value.dim);
  const Dtype& dtype = e.type->dtype;
  if (!dtype.is_variable && dtype.scalar == Scalar::i64) return dim;
  return emit(OpKind::cast, {dim}, e.type);
}

int Body::node(const sema::Expr& e, const sema::EnumValue& value) {
  Attributes attrs;
  attrs.name = value.variant;
  return emit(OpKind::enum_const, {}, e.type, std::move(attrs));
}

/// Zero (false) of a scalar type.
int Body::zero(const Type& type) {
  if (is_bool(type->dtype)) return node({{}, type, {}}, sema::BoolValue{false});
  if (is_float(type->dtype)) return node({{}, type, {}}, sema::FloatValue{0});
  return node({{}, type, {}}, sema::IntValue{0});
}

int Body::node(const sema::Expr&, const sema::ConstantRead& read) {
  const sema::Constant& constant = checked_.constants[at(read.constant)];
  if (is_literal(constant.body->node)) {
    Body literal(checked_, constant.frame, ids_);
    literal.ops_ = ops_;
    return literal.expr(*constant.body);
  }
  if (const auto found = prelude_->values.find(read.constant); found != prelude_->values.end()) {
    return found->second;
  }
  if (prelude_->depth >= Ids::max_constant_depth) {
    ids_.constants_too_deep = true;
    return emit(OpKind::option_none, {}, constant.type);  // never seen: nothing is lowered
  }
  ++prelude_->depth;
  Body body(checked_, constant.frame, ids_);
  body.prelude_ = prelude_;
  // Constants that this one uses are appended to the prelude meanwhile, so before it.
  Region region;
  int value = -1;
  body.inside(region, [&] {
    value = body.expr(*constant.body);
    body.name(value, constant.full_name.substr(constant.full_name.rfind(':') + 1));
  });
  --prelude_->depth;
  for (Op& op : region.ops) prelude_->ops.push_back(std::move(op));
  prelude_->values.emplace(read.constant, value);
  return value;
}

// --- names and members -----------------------------------------------------------------------

int Body::node(const sema::Expr&, const sema::LocalRead& read) {
  return locals_[at(read.local)];
}

int Body::node(const sema::Expr&, const sema::OwnBlock&) {
  return own_block_;
}

int Body::node(const sema::Expr& e, const sema::MemberRead& read) {
  const int block = expr(*read.block);
  Attributes attrs;
  attrs.name = checked_.blocks[at(read.owner)].declaration.members[at(read.member)].name;
  const std::string parent = path_of(block);
  const std::string path = parent.empty() ? attrs.name : parent + "." + attrs.name;
  const std::string member = attrs.name;
  OpKind kind = OpKind::block_param;
  if (read.kind == MemberKind::state) {
    kind = OpKind::state_read;
    state_uses_.push_back({path, -1});
  } else if (read.kind == MemberKind::sub) {
    kind = OpKind::block_sub;
  }
  const int value = emit(kind, {block}, e.type, std::move(attrs));
  if (kind == OpKind::block_sub) paths_[value] = path;
  name(value, member);
  return value;
}

int Body::node(const sema::Expr& e, const sema::ArrayElement& element) {
  const int array = expr(*element.array);
  const int position = dim_value(element.position);
  const int value = emit(OpKind::array_get, {array, position}, e.type);
  paths_[value] = path_of(array) + "[*]";
  return value;
}

int Body::node(const sema::Expr& e, const sema::FieldRead& read) {
  Attributes attrs;
  attrs.value = std::int64_t{read.position};
  const int value = expr(*read.value);
  return emit(OpKind::struct_get, {value}, e.type, std::move(attrs));
}

// --- elementwise and views ---------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::Elementwise&) {
  return chain(e);
}

int Body::node(const sema::Expr& e, const sema::ShortCircuit&) {
  return chain(e);
}

/// Operators whose left operands are operators again, from the innermost out.
int Body::chain(const sema::Expr& e) {
  std::vector<const sema::Expr*> links{&e};
  while (const sema::ExprPtr* left = sema::left_operand(*links.back()))
    links.push_back(left->get());
  int value = expr(*links.back());
  links.pop_back();
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const auto* op = std::get_if<sema::Elementwise>(&(*link)->node);
    value = op != nullptr
                ? elementwise(**link, *op, value)
                : short_circuit(**link, std::get<sema::ShortCircuit>((*link)->node), value);
  }
  return value;
}

int Body::elementwise(const sema::Expr& e, const sema::Elementwise& op, int left) {
  std::vector<int> operands{left};
  operands.reserve(op.operands.size());
  for (std::size_t i = 1; i < op.operands.size(); ++i) operands.push_back(expr(*op.operands[i]));
  Attributes attrs;
  attrs.compare = op.relation;
  return emit(op.op, std::move(operands), e.type, std::move(attrs));
}

/// `and`/`or` evaluate both sides; a right side that can fail or touches state gets an `if`.
int Body::short_circuit(const sema::Expr& e, const sema::ShortCircuit& op, int left) {
  Region right;
  int value = -1;
  inside(right, [&] { value = expr(*op.right); });
  if (effects_.of(right) == Effect::none) {
    for (Op& part : right.ops) emit_op(std::move(part));
    return emit(op.is_and ? OpKind::and_ : OpKind::or_, {left, value}, e.type);
  }
  inside(right, [&] { yield({value}); });
  Region decided;
  inside(decided, [&] { yield({node(e, sema::BoolValue{!op.is_and})}); });
  Op branch;
  branch.kind = OpKind::if_;
  branch.operands = {left};
  branch.regions.push_back(std::move(op.is_and ? right : decided));
  branch.regions.push_back(std::move(op.is_and ? decided : right));
  branch.results.push_back(make_value(e.type));
  const int result = branch.results[0].id;
  emit_op(std::move(branch));
  return result;
}

int Body::shaped(OpKind kind, std::vector<int> operands, const Type& type) {
  Attributes attrs;
  attrs.shape = type->shape;
  return emit(kind, std::move(operands), type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::Reshape& op) {
  return shaped(OpKind::reshape, {expr(*op.value)}, e.type);
}

int Body::node(const sema::Expr& e, const sema::BroadcastTo& op) {
  return shaped(OpKind::broadcast, {expr(*op.value)}, e.type);
}

int Body::node(const sema::Expr& e, const sema::Fill& op) {
  return shaped(OpKind::fill, {expr(*op.value)}, e.type);
}

int Body::node(const sema::Expr& e, const sema::Iota&) {
  return shaped(OpKind::iota, {}, e.type);
}

int Body::node(const sema::Expr& e, const sema::Permute& op) {
  Attributes attrs;
  attrs.permutation = op.axes;
  const int value = expr(*op.value);
  return emit(OpKind::permute, {value}, e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::Concat& op) {
  std::vector<int> operands;
  operands.reserve(op.values.size());
  for (const sema::ExprPtr& value : op.values) operands.push_back(expr(*value));
  Attributes attrs;
  attrs.axis = op.axis;
  return emit(OpKind::concat, std::move(operands), e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::Cumsum& op) {
  Attributes attrs;
  attrs.axis = op.axis;
  const int value = expr(*op.value);
  return emit(OpKind::cumsum, {value}, e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::Slice& op) {
  std::vector<int> operands{expr(*op.value)};
  Attributes attrs;
  for (const sema::SlicePart& part : op.parts) {
    SliceAxis axis;
    switch (part.kind) {
      case sema::SlicePart::Kind::whole:
        // Neighbours that are kept whole are one part, however they were written.
        if (!attrs.axes.empty() && attrs.axes.back().whole) {
          ShapeUnits& units = attrs.axes.back().whole_units;
          units.insert(units.end(), part.units.begin(), part.units.end());
          continue;
        }
        if (part.units.empty()) continue;
        axis.whole = true;
        axis.whole_units = part.units;
        break;
      case sema::SlicePart::Kind::range:
        axis.start = part.start;
        axis.stop = part.stop;
        axis.step = part.step;
        break;
      case sema::SlicePart::Kind::constant:
        axis.squeeze = true;
        axis.start = part.start;
        axis.stop = make_dim(DimKind::add, {part.start, make_constant(1)});
        axis.step = make_constant(1);
        break;
      case sema::SlicePart::Kind::runtime:
        axis.squeeze = true;
        operands.push_back(expr(*part.position));
        break;
    }
    attrs.axes.push_back(std::move(axis));
  }
  return emit(OpKind::slice, std::move(operands), e.type, std::move(attrs));
}

// --- index notation ------------------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::Access& access) {
  std::vector<int> operands{expr(*access.value)};
  for (const sema::AccessPart& part : access.parts) {
    operands.push_back(part.kind == sema::AccessPart::Kind::position ? expr(*part.position)
                                                                     : indices_[at(part.index)]);
  }
  return emit(OpKind::tensor_element, std::move(operands), e.type);
}

int Body::index_op(OpKind kind, const Type& type, const std::vector<sema::IndexId>& indices,
                   const sema::Expr& body, ReduceKind reduce) {
  Op op;
  op.kind = kind;
  op.attrs.reduce = reduce;
  Region region;
  for (const sema::IndexId index : indices) {
    const sema::IndexVariable& variable = frame_.indices[at(index)];
    region.args.push_back(index_value(variable));
    op.attrs.indices.push_back({region.args.back().name, variable.domain});
    indices_[at(index)] = region.args.back().id;
    effects_.add_index(region.args.back().id);
  }
  inside(region, [&] { yield({expr(body)}); });
  op.regions.push_back(std::move(region));
  op.results.push_back(make_value(type));
  const int result = op.results[0].id;
  emit_op(std::move(op));
  return result;
}

int Body::node(const sema::Expr& e, const sema::Comprehension& op) {
  return index_op(OpKind::comprehension, e.type, op.indices, *op.body, ReduceKind::sum);
}

int Body::node(const sema::Expr& e, const sema::Reduction& op) {
  return index_op(OpKind::reduce, e.type, op.indices, *op.body, op.kind);
}

// --- calls and aggregates ----------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::Call& call) {
  const sema::Function& callee = checked_.functions[at(call.function)];
  std::vector<int> operands;
  if (call.receiver) {
    operands.push_back(expr(*call.receiver));
    state_uses_.push_back({path_of(operands[0]), call.function});
  }
  const std::size_t first = operands.size();
  operands.resize(first + call.arguments.size(), -1);
  for (const int position : call.evaluation) {
    operands[first + at(position)] = expr(*call.arguments[at(position)]);
  }
  Attributes attrs;
  attrs.callee = callee.full_name;
  attrs.substitution = call.substitution;
  attrs.generics = call.generics;
  const bool is_op = callee.kind == FunctionKind::op;
  return emit(is_op ? OpKind::semantic_call : OpKind::call, std::move(operands), e.type,
              std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::TupleMake& op) {
  std::vector<int> operands;
  for (const sema::ExprPtr& element : op.elements) operands.push_back(expr(*element));
  return emit(OpKind::tuple_make, std::move(operands), e.type);
}

int Body::node(const sema::Expr& e, const sema::StructMake& op) {
  std::vector<int> operands(op.fields.size(), -1);
  for (const int position : op.evaluation) operands[at(position)] = expr(*op.fields[at(position)]);
  return emit(OpKind::struct_make, std::move(operands), e.type);
}

int Body::node(const sema::Expr& e, const sema::SomeMake& op) {
  const int value = expr(*op.value);
  return emit(OpKind::option_some, {value}, e.type);
}

int Body::node(const sema::Expr& e, const sema::NoneMake&) {
  return emit(OpKind::option_none, {}, e.type);
}

// --- branches --------------------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::If& op) {
  Op branch;
  branch.kind = OpKind::if_;
  branch.operands = {expr(*op.condition)};
  for (const sema::ExprPtr* side : {&op.then_value, &op.else_value}) {
    Region region;
    inside(region, [&] { yield({expr(**side)}); });
    branch.regions.push_back(std::move(region));
  }
  branch.results.push_back(make_value(e.type));
  const int result = branch.results[0].id;
  emit_op(std::move(branch));
  return result;
}

int Body::node(const sema::Expr& e, const sema::Match& match) {
  if (match.chosen >= 0) {
    const int chosen = match_constant(match);
    if (chosen >= 0) return chosen;
  }
  return match.value->type->kind == TypeKind::optional ? match_option(e, match)
                                                       : match_enum(e, match);
}

/// Only the chosen arm of a constant scrutinee; -1 when what it binds is not at hand.
int Body::match_constant(const sema::Match& match) {
  const sema::MatchArm& arm = match.arms[at(match.chosen)];
  if (arm.whole >= 0) {
    locals_[at(arm.whole)] = expr(*match.value);
  } else if (const auto* some = std::get_if<sema::SomeMake>(&match.value->node)) {
    // Bound or not: making it may touch state or fail.
    bind(arm.inside, expr(*some->value), some->value->type);
  } else if (arm.inside.kind != sema::Pattern::Kind::ignore) {
    return -1;
  } else if (std::holds_alternative<sema::Match>(match.value->node)) {
    expr(*match.value);
  }
  return expr(*arm.body);
}

Region Body::arm_region(const sema::Match& match, int position, std::optional<Value> inner,
                        int whole) {
  const sema::MatchArm& arm = match.arms[at(position)];
  Region region;
  inside(region, [&] {
    if (arm.whole >= 0) locals_[at(arm.whole)] = whole;
    if (inner) {
      if (arm.inside.kind == sema::Pattern::Kind::bind) {
        inner->name = local_name(arm.inside.local);
      }
      region.args.push_back(*inner);
      bind(arm.inside, inner->id, inner->type);
    }
    yield({expr(*arm.body)});
  });
  return region;
}

int Body::match_option(const sema::Expr& e, const sema::Match& match) {
  const int value = expr(*match.value);
  Op op;
  op.kind = OpKind::option_match;
  op.operands = {value};
  Value inner = make_value(match.value->type->elements.at(0));
  if (paths_.contains(value)) paths_[inner.id] = path_of(value);
  op.regions.push_back(arm_region(match, match.arm_of_case.at(0), inner, value));
  op.regions.push_back(arm_region(match, match.arm_of_case.at(1), std::nullopt, value));
  op.results.push_back(make_value(e.type));
  const int result = op.results[0].id;
  emit_op(std::move(op));
  return result;
}

const std::vector<std::string>& Body::variants_of(const TypeNode& type) const {
  static const std::vector<std::string> unknown;
  for (const Enumeration& declared : checked_.enums) {
    if (declared.name == type.name && declared.module == type.module) return declared.variants;
  }
  return unknown;
}

/// With an arm for each variant an `enum.match`. A catch-all that serves several variants is
/// not written out for each, which would double what is nested in it: those with an arm of
/// their own are compared one after the other, and it stands last.
int Body::match_enum(const sema::Expr& e, const sema::Match& match) {
  const int value = expr(*match.value);
  const std::vector<std::string>& variants = variants_of(*match.value->type);
  std::vector<int> uses(match.arms.size(), 0);
  for (const int arm : match.arm_of_case) ++uses[at(arm)];
  int catch_all = -1;
  for (const int arm : match.arm_of_case) {
    if (uses[at(arm)] > 1) catch_all = arm;
  }
  if (catch_all < 0) {
    Op op;
    op.kind = OpKind::enum_match;
    op.operands = {value};
    op.attrs.variants = variants;
    for (const int arm : match.arm_of_case) {
      op.regions.push_back(arm_region(match, arm, std::nullopt, value));
    }
    op.results.push_back(make_value(e.type));
    const int result = op.results[0].id;
    emit_op(std::move(op));
    return result;
  }
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (match.arm_of_case[i] != catch_all) own.push_back(i);
  }
  return compare_variants(e, match, value, own, 0, catch_all);
}

int Body::compare_variants(const sema::Expr& e, const sema::Match& match, int value,
                           const std::vector<std::size_t>& own, std::size_t next, int catch_all) {
  if (next == own.size()) {
    const sema::MatchArm& arm = match.arms[at(catch_all)];
    if (arm.whole >= 0) locals_[at(arm.whole)] = value;
    return expr(*arm.body);
  }
  const std::size_t variant = own[next];
  const Type& type = match.value->type;
  Attributes wanted;
  wanted.name = variants_of(*type)[variant];
  const int constant = emit(OpKind::enum_const, {}, type, std::move(wanted));
  const int matches =
      emit(OpKind::compare, {value, constant}, make_scalar(Scalar::boolean), Attributes{});
  Op branch;
  branch.kind = OpKind::if_;
  branch.operands = {matches};
  branch.regions.push_back(arm_region(match, match.arm_of_case[variant], std::nullopt, value));
  Region rest;
  inside(rest, [&] { yield({compare_variants(e, match, value, own, next + 1, catch_all)}); });
  branch.regions.push_back(std::move(rest));
  branch.results.push_back(make_value(e.type));
  const int result = branch.results[0].id;
  emit_op(std::move(branch));
  return result;
}

// --- kernels -----------------------------------------------------------------------------------

int Body::node(const sema::Expr& e, const sema::ProgramId& op) {
  Attributes attrs;
  attrs.axis = op.axis;
  return emit(OpKind::kernel_program_id, {}, e.type, std::move(attrs));
}

int Body::node(const sema::Expr& e, const sema::KernelLoad& load) {
  std::vector<int> operands{locals_[at(load.tensor)]};
  for (const sema::ExprPtr& index : load.indices) operands.push_back(expr(*index));
  Attributes attrs;
  attrs.index_count = static_cast<int>(load.indices.size());
  // Mask and other come together: one that is left off is made.
  if (load.mask || load.other) {
    operands.push_back(load.mask
                           ? expr(*load.mask)
                           : node({{}, make_scalar(Scalar::boolean), {}}, sema::BoolValue{true}));
    operands.push_back(load.other ? expr(*load.other) : zero(make_scalar(e.type->dtype)));
  }
  return emit(OpKind::kernel_load, std::move(operands), e.type, std::move(attrs));
}

}  // namespace linnet::ir::detail
