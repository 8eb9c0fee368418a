#include "codegen/sema/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "codegen/sema/types.hpp"

namespace linnet::sema {
namespace {

template <class T, class... Alternatives>
constexpr bool one_of = (std::is_same_v<T, Alternatives> || ...);

class Verifier {
 public:
  explicit Verifier(const CheckedProgram& program) : program_(program) {}

  std::string run() {
    for (const Function& function : program_.functions) check_function(function);
    for (const Constant& constant : program_.constants) {
      place_ = constant.full_name;
      frame_ = &constant.frame;
      check_type(constant.type);
      need(constant.body);
      require(!constant.contextual || constant.value != nullptr, "a contextual constant's value");
    }
    for (const Block& block : program_.blocks) {
      place_ = block.declaration.name;
      for (const ir::Member& member : block.declaration.members) check_type(member.type);
    }
    for (const ir::Structure& structure : program_.structs) {
      place_ = structure.name;
      for (const auto& [name, type] : structure.fields) check_type(type);
    }
    return flaw_;
  }

 private:
  void require(bool holds, const char* what) {
    if (!holds && flaw_.empty()) flaw_ = place_ + ": " + what;
  }

  void check_type(const ir::Type& type) {
    require(type != nullptr && !mentions_poison(type) && !mentions_pending(type),
            "a type that is not settled");
  }

  void check_local(LocalId id) {
    require(id >= 0 && static_cast<std::size_t>(id) < frame_->locals.size(), "a local's id");
  }
  void check_indices(const std::vector<IndexId>& ids) {
    for (const IndexId id : ids) {
      require(id >= 0 && static_cast<std::size_t>(id) < frame_->indices.size(), "an index's id");
    }
  }
  void check_carried(const std::vector<LocalId>& ids) {
    for (const LocalId id : ids) check_local(id);
    require(std::is_sorted(ids.begin(), ids.end()), "the order of carried variables");
  }
  void check_order(const std::vector<int>& order, std::size_t count) {
    std::vector<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    bool complete = sorted.size() == count;
    for (std::size_t i = 0; complete && i < count; ++i) complete = sorted[i] == static_cast<int>(i);
    require(complete, "an order of evaluation");
  }

  void check_pattern(const Pattern& pattern) {
    if (pattern.kind == Pattern::Kind::bind) check_local(pattern.local);
    for (const Pattern& element : pattern.elements) check_pattern(element);
  }

  void need(const ExprPtr& expr) {
    require(expr != nullptr, "an expression is missing");
    if (expr != nullptr) check_expr(*expr);
  }
  void may(const ExprPtr& expr) {
    if (expr != nullptr) check_expr(*expr);
  }
  void need(const std::vector<ExprPtr>& exprs) {
    for (const ExprPtr& expr : exprs) need(expr);
  }

  void check_loop(const ForLoop& loop) {
    check_local(loop.variable);
    require(loop.start != nullptr && loop.stop != nullptr, "a loop's bounds");
    check_statements(loop.body);
    check_carried(loop.carried);
    may(loop.yield);
  }

  void check_expr(const Expr& expr) {
    const Expr* part = &expr;
    while (part != nullptr) {
      check_type(part->type);
      std::visit([this, part](const auto& node) { check_node(*part, node); }, part->node);
      const ExprPtr* left = left_operand(*part);
      require(left == nullptr || *left != nullptr, "an expression is missing");
      part = left != nullptr ? left->get() : nullptr;
    }
  }

  template <class Node>
  void check_node(const Expr& expr, const Node& node) {
    if constexpr (std::is_same_v<Node, std::monostate>) {
      require(false, "an expression without a meaning");
    } else if constexpr (one_of<Node, IntValue, FloatValue, BoolValue>) {
      require(is_scalar(expr.type), "a literal's type");
    } else if constexpr (std::is_same_v<Node, DimValue>) {
      require(is_scalar(expr.type) && node.dim != nullptr, "a dimension's type");
    } else if constexpr (std::is_same_v<Node, LocalRead>) {
      check_local(node.local);
    } else if constexpr (std::is_same_v<Node, ConstantRead>) {
      require(static_cast<std::size_t>(node.constant) < program_.constants.size(), "a constant");
    } else if constexpr (std::is_same_v<Node, MemberRead>) {
      need(node.block);
    } else if constexpr (std::is_same_v<Node, ArrayElement>) {
      need(node.array);
      require(node.position != nullptr, "an array's position");
    } else if constexpr (one_of<Node, FieldRead, Reshape, BroadcastTo, Fill, Permute, Cumsum,
                                SomeMake>) {
      need(node.value);
    } else if constexpr (std::is_same_v<Node, Elementwise>) {
      require(!node.operands.empty(), "operands");
      for (std::size_t i = 1; i < node.operands.size(); ++i) need(node.operands[i]);
    } else if constexpr (std::is_same_v<Node, ShortCircuit>) {
      need(node.right);
    } else if constexpr (std::is_same_v<Node, Concat>) {
      need(node.values);
    } else if constexpr (std::is_same_v<Node, Slice>) {
      need(node.value);
      for (const SlicePart& part : node.parts) {
        if (part.kind == SlicePart::Kind::runtime) need(part.position);
        if (part.kind != SlicePart::Kind::range) continue;
        require(part.start != nullptr && part.stop != nullptr && part.step != nullptr &&
                    part.extent != nullptr,
                "a slice's bounds");
      }
    } else if constexpr (std::is_same_v<Node, Access>) {
      need(node.value);
      for (const AccessPart& part : node.parts) {
        if (part.kind == AccessPart::Kind::position) {
          need(part.position);
        } else {
          check_indices({part.index});
        }
      }
    } else if constexpr (one_of<Node, Comprehension, Reduction>) {
      check_indices(node.indices);
      need(node.body);
    } else if constexpr (std::is_same_v<Node, Call>) {
      check_call(node);
    } else if constexpr (std::is_same_v<Node, TupleMake>) {
      need(node.elements);
    } else if constexpr (std::is_same_v<Node, StructMake>) {
      need(node.fields);
      check_order(node.evaluation, node.fields.size());
    } else if constexpr (std::is_same_v<Node, If>) {
      need(node.condition);
      need(node.then_value);
      need(node.else_value);
    } else if constexpr (std::is_same_v<Node, Match>) {
      need(node.value);
      for (const MatchArm& arm : node.arms) {
        check_pattern(arm.inside);
        need(arm.body);
      }
      for (const int arm : node.arm_of_case) {
        require(arm >= 0 && static_cast<std::size_t>(arm) < node.arms.size(), "a match's arm");
      }
    } else if constexpr (std::is_same_v<Node, Scan>) {
      require(node.loop != nullptr && node.loop->yield != nullptr, "a scan's value");
      if (node.loop != nullptr) check_loop(*node.loop);
    } else if constexpr (std::is_same_v<Node, KernelLoad>) {
      check_local(node.tensor);
      need(node.indices);
      may(node.mask);
      may(node.other);
    }
  }

  void check_call(const Call& call) {
    const bool known =
        call.function >= 0 && static_cast<std::size_t>(call.function) < program_.functions.size();
    require(known, "a callee");
    if (!known) return;
    const Function& callee = program_.functions[static_cast<std::size_t>(call.function)];
    require((callee.block >= 0) == (call.receiver != nullptr), "a method's receiver");
    require(call.generics.size() == callee.generics.size(), "a call's generics");
    require(call.arguments.size() == callee.parameters.size(), "a call's arguments");
    may(call.receiver);
    need(call.arguments);
    check_order(call.evaluation, call.arguments.size());
  }

  void check_statements(const Statements& statements) {
    for (const Statement& statement : statements) {
      std::visit([this](const auto& node) { check_statement(node); }, statement.node);
    }
  }

  template <class Node>
  void check_statement(const Node& node) {
    if constexpr (std::is_same_v<Node, std::monostate>) {
      require(false, "a statement without a meaning");
    } else if constexpr (std::is_same_v<Node, Let>) {
      check_pattern(node.pattern);
      need(node.value);
    } else if constexpr (std::is_same_v<Node, AssignLocal>) {
      check_local(node.local);
      need(node.value);
    } else if constexpr (std::is_same_v<Node, AssignState>) {
      need(node.value);
    } else if constexpr (std::is_same_v<Node, Return>) {
      may(node.value);
    } else if constexpr (std::is_same_v<Node, StaticFor>) {
      check_pattern(node.pattern);
      need(node.array);
      check_statements(node.body);
      check_carried(node.carried);
    } else if constexpr (std::is_same_v<Node, StaticRange>) {
      check_pattern(node.pattern);
      check_statements(node.body);
      check_carried(node.carried);
    } else if constexpr (std::is_same_v<Node, For>) {
      check_loop(node.loop);
    } else if constexpr (std::is_same_v<Node, While>) {
      need(node.condition);
      check_statements(node.body);
      check_carried(node.carried);
    } else if constexpr (std::is_same_v<Node, KernelWrite>) {
      need(node.indices);
      need(node.value);
      may(node.mask);
    }
  }

  void check_function(const Function& function) {
    place_ = function.full_name;
    frame_ = &function.frame;
    for (const Local& local : function.frame.locals) check_type(local.type);
    for (const Parameter& parameter : function.parameters) {
      check_local(parameter.local);
      may(parameter.default_value);
    }
    check_statements(function.body);
    if (function.grad) check_statements(function.grad->body);
    if (function.kernel) {
      require(function.kernel->kernel >= 0, "an op's kernel");
    }
  }

  const CheckedProgram& program_;
  const Frame* frame_ = nullptr;
  std::string place_;
  std::string flaw_;
};

}  // namespace

std::string find_flaw(const CheckedProgram& program) {
  return Verifier(program).run();
}

}  // namespace linnet::sema
