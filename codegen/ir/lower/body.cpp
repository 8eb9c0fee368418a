// Statements, loops, and the building of values.

#include "codegen/ir/lower/body.hpp"

#include <iterator>
#include <utility>

#include "codegen/ir/build.hpp"

namespace linnet::ir::detail {
namespace {

std::size_t at(int position) {
  return static_cast<std::size_t>(position);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The name that a value keeps of a local's. `emit` must keep names apart and bind values that
/// have none: a trailing `__3` and a leading `_3` or `_3_` are its marks and no part of a name.
std::string display_name(const std::string& local) {
  std::size_t begin = 0;
  std::size_t end = local.size();
  if (local.size() > 1 && local[0] == '_' && is_digit(local[1])) {
    begin = 1;
    while (begin < end && is_digit(local[begin])) ++begin;
    if (begin < end && local[begin] == '_') ++begin;
  }
  std::size_t digits = end;
  while (digits > begin && is_digit(local[digits - 1])) --digits;
  const bool is_marked =
      digits < end && digits >= begin + 3 && local[digits - 1] == '_' && local[digits - 2] == '_';
  if (is_marked) end = digits - 2;
  return local.substr(begin, end - begin);
}

std::vector<Op> joined(std::vector<Op> first, std::vector<Op> rest) {
  first.insert(first.end(), std::make_move_iterator(rest.begin()),
               std::make_move_iterator(rest.end()));
  return first;
}

}  // namespace

// --- building ----------------------------------------------------------------------------

Value Body::make_value(const Type& type, std::string name) {
  return {ids_.next(), std::move(name), type};
}

int Body::emit(OpKind kind, std::vector<int> operands, const Type& type, Attributes attrs) {
  Op op;
  op.kind = kind;
  op.operands = std::move(operands);
  op.results.push_back(make_value(type));
  op.attrs = std::move(attrs);
  const int id = op.results[0].id;
  emit_op(std::move(op));
  return id;
}

void Body::name(int value, const std::string& text) {
  if (ops_->empty()) return;
  for (Value& result : ops_->back().results) {
    if (result.id == value && result.name.empty()) result.name = display_name(text);
  }
}

void Body::yield(std::vector<int> values) {
  Op op;
  op.kind = OpKind::yield;
  op.operands = std::move(values);
  emit_op(std::move(op));
}

std::string Body::path_of(int block) const {
  const auto found = paths_.find(block);
  return found == paths_.end() ? std::string{} : found->second;
}

std::string Body::local_name(sema::LocalId local) const {
  return local < 0 ? std::string{} : display_name(frame_.locals[at(local)].name);
}

Value Body::local_value(sema::LocalId local, const Type& type) {
  return parameter(local_name(local), local, type);
}

Value Body::parameter(const std::string& text, sema::LocalId local, const Type& type) {
  Value value = make_value(type, text);
  if (local >= 0) locals_[at(local)] = value.id;
  return value;
}

Value Body::own_block(const Type& type) {
  Value value = make_value(type);
  own_block_ = value.id;
  paths_[value.id] = "";
  return value;
}

Region Body::statements_region(std::vector<Value> args, const sema::Statements& list) {
  Region region;
  region.args = std::move(args);
  inside(region, [&] {
    statements(list);
    if (ops_->empty() || ops_->back().kind != OpKind::return_) {
      Op end;
      end.kind = OpKind::return_;
      emit_op(std::move(end));
    }
  });
  region.ops = joined(std::move(own_prelude_.ops), std::move(region.ops));
  own_prelude_ = {};
  return region;
}

Region Body::value_region(const sema::Expr& e) {
  Region region;
  inside(region, [&] { yield({expr(e)}); });
  region.ops = joined(std::move(own_prelude_.ops), std::move(region.ops));
  own_prelude_ = {};
  return region;
}

// --- statements --------------------------------------------------------------------------

void Body::statements(const sema::Statements& list) {
  for (const sema::Statement& s : list) {
    std::visit(
        [this](const auto& node) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(node)>, std::monostate>) {
            statement(node);
          }
        },
        s.node);
  }
}

void Body::bind(const sema::Pattern& pattern, int value, const Type& type) {
  switch (pattern.kind) {
    case sema::Pattern::Kind::ignore:
      return;
    case sema::Pattern::Kind::bind:
      locals_[at(pattern.local)] = value;
      name(value, frame_.locals[at(pattern.local)].name);
      return;
    case sema::Pattern::Kind::tuple:
      for (std::size_t i = 0; i < pattern.elements.size(); ++i) {
        if (pattern.elements[i].kind == sema::Pattern::Kind::ignore) continue;
        Attributes attrs;
        attrs.value = static_cast<std::int64_t>(i);
        const Type& element = type->elements.at(i);
        bind(pattern.elements[i], emit(OpKind::tuple_get, {value}, element, std::move(attrs)),
             element);
      }
      return;
  }
}

void Body::statement(const sema::Let& let) {
  bind(let.pattern, expr(*let.value), let.value->type);
}

void Body::statement(const sema::AssignLocal& assign) {
  const int value = expr(*assign.value);
  locals_[at(assign.local)] = value;
  name(value, frame_.locals[at(assign.local)].name);
}

void Body::statement(const sema::AssignState& assign) {
  const int value = expr(*assign.value);
  Op op;
  op.kind = OpKind::state_write;
  op.operands = {own_block_, value};
  const Block& owner = checked_.blocks[at(assign.owner)].declaration;
  op.attrs.name = owner.members[at(assign.member)].name;
  state_uses_.push_back({op.attrs.name, -1});
  emit_op(std::move(op));
}

void Body::statement(const sema::Return& give) {
  Op op;
  op.kind = OpKind::return_;
  if (give.value) op.operands = {expr(*give.value)};
  emit_op(std::move(op));
}

std::vector<int> Body::values_of(const std::vector<sema::LocalId>& carried) const {
  std::vector<int> values;
  values.reserve(carried.size());
  for (const sema::LocalId local : carried) values.push_back(locals_[at(local)]);
  return values;
}

void Body::carry_in(const std::vector<sema::LocalId>& carried, Region& region) {
  for (const sema::LocalId local : carried) {
    const sema::Local& declared = frame_.locals[at(local)];
    region.args.push_back(local_value(local, declared.type));
  }
}

void Body::carry_out(const std::vector<sema::LocalId>& carried, Op& loop) {
  for (const sema::LocalId local : carried) {
    const sema::Local& declared = frame_.locals[at(local)];
    loop.results.push_back(local_value(local, declared.type));
  }
}

void Body::statement(const sema::StaticFor& loop) {
  Op op;
  op.kind = OpKind::static_for;
  const int array = expr(*loop.array);
  op.operands = values_of(loop.carried);
  op.operands.insert(op.operands.begin(), array);
  Region body;
  const bool is_bound = loop.pattern.kind == sema::Pattern::Kind::bind;
  const Value element =
      local_value(is_bound ? loop.pattern.local : -1, loop.array->type->elements.at(0));
  paths_[element.id] = path_of(array) + "[*]";
  body.args.push_back(element);
  carry_in(loop.carried, body);
  inside(body, [&] {
    statements(loop.body);
    yield(values_of(loop.carried));
  });
  op.regions.push_back(std::move(body));
  carry_out(loop.carried, op);
  emit_op(std::move(op));
}

int Body::range_loop(OpKind kind, const Dim& start, const Dim& stop, sema::LocalId variable,
                     const sema::Statements& body, const std::vector<sema::LocalId>& carried,
                     const sema::Expr* yielded, const Type& stacked) {
  Op op;
  op.kind = kind;
  const int first = dim_value(start);
  const int last = dim_value(stop);
  op.operands = {first, last};
  const std::vector<int> initial = values_of(carried);
  op.operands.insert(op.operands.end(), initial.begin(), initial.end());
  Region region;
  region.args.push_back(local_value(variable, make_scalar(Scalar::i64)));
  carry_in(carried, region);
  inside(region, [&] {
    statements(body);
    std::vector<int> values;
    const int element = yielded == nullptr ? -1 : expr(*yielded);
    values = values_of(carried);
    if (yielded != nullptr) values.push_back(element);
    yield(std::move(values));
  });
  op.regions.push_back(std::move(region));
  carry_out(carried, op);
  int result = -1;
  if (yielded != nullptr) {
    op.results.push_back(make_value(stacked));
    result = op.results.back().id;
  }
  emit_op(std::move(op));
  return result;
}

void Body::statement(const sema::StaticRange& loop) {
  const bool is_bound = loop.pattern.kind == sema::Pattern::Kind::bind;
  range_loop(OpKind::static_range, loop.start, loop.stop, is_bound ? loop.pattern.local : -1,
             loop.body, loop.carried, nullptr, nullptr);
}

void Body::statement(const sema::For& loop) {
  const sema::ForLoop& f = loop.loop;
  range_loop(OpKind::for_, f.start, f.stop, f.variable, f.body, f.carried, nullptr, nullptr);
}

int Body::node(const sema::Expr& e, const sema::Scan& scan) {
  const sema::ForLoop& f = *scan.loop;
  return range_loop(OpKind::for_, f.start, f.stop, f.variable, f.body, f.carried, f.yield.get(),
                    e.type);
}

void Body::statement(const sema::While& loop) {
  Op op;
  op.kind = OpKind::while_;
  op.operands = values_of(loop.carried);
  Region condition;
  carry_in(loop.carried, condition);
  inside(condition, [&] { yield({expr(*loop.condition)}); });
  Region body;
  carry_in(loop.carried, body);
  inside(body, [&] {
    statements(loop.body);
    yield(values_of(loop.carried));
  });
  op.regions.push_back(std::move(condition));
  op.regions.push_back(std::move(body));
  carry_out(loop.carried, op);
  emit_op(std::move(op));
}

void Body::statement(const sema::KernelWrite& write) {
  Op op;
  op.kind = write.op;
  op.operands.push_back(kernel_results_.at(at(write.result)));
  for (const sema::ExprPtr& index : write.indices) op.operands.push_back(expr(*index));
  op.attrs.index_count = static_cast<int>(write.indices.size());
  op.operands.push_back(expr(*write.value));
  if (write.mask) op.operands.push_back(expr(*write.mask));
  emit_op(std::move(op));
}

Value Body::kernel_result(const sema::KernelResult& result) {
  Value value = parameter(result.name, result.local, result.type);
  kernel_results_.push_back(value.id);
  return value;
}

Value Body::index_value(const sema::IndexVariable& variable) {
  const Type type = variable.is_run ? make_shape(variable.domain) : make_scalar(Scalar::i64);
  const std::string name = display_name(variable.name);
  return make_value(type, name.empty() ? variable.name : name);
}

}  // namespace linnet::ir::detail
