// Elementwise functions of the prelude and what all its functions share (language.md section 2).
// Functions that make shapes are in prelude_shapes.cpp.

#include <cstddef>
#include <utility>

#include "codegen/sema/body.hpp"

namespace linnet::sema {
namespace {

ir::OpKind op_named(const std::string& name) {
  if (name == "exp") return ir::OpKind::exp;
  if (name == "log") return ir::OpKind::log;
  if (name == "sqrt") return ir::OpKind::sqrt;
  if (name == "rsqrt") return ir::OpKind::rsqrt;
  if (name == "sin") return ir::OpKind::sin;
  if (name == "cos") return ir::OpKind::cos;
  if (name == "tanh") return ir::OpKind::tanh;
  if (name == "min") return ir::OpKind::min;
  if (name == "max") return ir::OpKind::max;
  return name == "shl" ? ir::OpKind::shl : ir::OpKind::shr;
}

}  // namespace

ExprPtr Body::call_prelude(const std::string& name, const syntax::Call& expr) {
  if (is_reserved_prelude_function(name)) {
    error("E2190", expr.span, "`" + name + "` is reserved and not implemented")
        .with_label("not implemented")
        .with_help(name == "pad"      ? "use `concat` with a `fill`"
                   : name == "gather" ? "read by a run-time index: `let y[i] = x[ids[i]]`"
                                      : "write the result in index notation");
    return fail_call(expr);
  }
  if (name == "cast") return prelude_cast(expr);
  if (name == "abs") return prelude_abs(expr);
  if (name == "min" || name == "max") return prelude_min_max(name, expr);
  if (name == "shl" || name == "shr") return prelude_shift(name, expr);
  if (name == "select") return prelude_select(expr);
  if (name == "reshape") return prelude_reshape(expr);
  if (name == "broadcast_to") return prelude_broadcast_to(expr);
  if (name == "permute") return prelude_permute(expr);
  if (name == "concat") return prelude_concat(expr);
  if (name == "iota") return prelude_iota(expr);
  if (name == "fill") return prelude_fill(expr);
  if (name == "cumsum") return prelude_cumsum(expr);
  return prelude_float(name, expr);
}

bool Body::check_arguments(const std::string& name, const syntax::Call& expr, std::size_t least,
                           std::size_t most, bool takes_axis) {
  std::size_t positional = 0;
  const syntax::CallArg* axis = nullptr;
  for (const syntax::CallArg& arg : expr.args) {
    if (!arg.name) {
      ++positional;
      if (axis != nullptr) {
        error("E2102", arg.span, "a positional argument after a named one")
            .with_help("`axis` comes last");
        return false;
      }
      continue;
    }
    if (!takes_axis || arg.name->text != "axis") {
      error("E2102", arg.name->span, "`" + name + "` has no keyword `" + arg.name->text + "`")
          .with_label("no such keyword")
          .with_help(takes_axis ? "its only keyword is `axis`" : "give the arguments by position");
      return false;
    }
    if (axis != nullptr) {
      error("E2102", arg.span, "`axis` is given twice")
          .with_related("given here", axis->span)
          .with_help("give it once");
      return false;
    }
    axis = &arg;
  }
  if (positional < least || positional > most) {
    const std::string wanted = least == most
                                   ? std::to_string(least)
                                   : (positional < least ? "at least " + std::to_string(least)
                                                         : "at most " + std::to_string(most));
    error("E2102", expr.span,
          "`" + name + "` takes " + wanted + " argument" + (wanted == "1" ? "" : "s") + ", not " +
              std::to_string(positional))
        .with_label("wrong number of arguments")
        .with_help("it is called as " + std::string(prelude_form(name)));
    return false;
  }
  if (takes_axis && axis == nullptr) {
    error("E2102", expr.span, "`" + name + "` needs its `axis`")
        .with_label("no `axis = ...`")
        .with_help("write `axis = 0` for the first axis, `axis = -1` for the last");
    return false;
  }
  return true;
}

bool Body::refuse_generics(const std::string& name, const syntax::Call& expr) {
  if (!expr.generics) return false;
  error("E2111", expr.generics->span, "`" + name + "` takes no generic arguments")
      .with_label("remove these")
      .with_help("its type follows from its arguments");
  return true;
}

std::optional<ir::Dtype> Body::written_dtype(const std::string& name, const syntax::Call& expr,
                                             bool& ok) {
  if (!expr.generics) return std::nullopt;
  ir::Generic generic;
  generic.name = "T";
  generic.kind = ir::GenericKind::dtype;
  generic.dtype_class = ir::DtypeClass::any;
  if (expr.generics->args.size() > 1) {
    error("E2111", expr.generics->args[1].span, "`" + name + "` takes one generic argument")
        .with_label("one too many")
        .with_help("write only the dtype");
    ok = false;
    return std::nullopt;
  }
  const auto argument = resolver().argument(expr.generics->args.front(), generic);
  if (!argument) {
    ok = false;
    return std::nullopt;
  }
  return std::get<ir::Dtype>(*argument);
}

bool Body::number_operand(const Expr& expr, const std::string& name) {
  if (mentions_poison(expr.type)) return false;
  return check_operand(expr, name);
}

ExprPtr Body::prelude_cast(const syntax::Call& expr) {
  if (!check_arguments("cast", expr, 1, 1)) return fail_call(expr);
  bool ok = true;
  const auto dtype = written_dtype("cast", expr, ok);
  if (!dtype && ok) {
    error("E2110", expr.span, "`cast` needs its dtype")
        .with_label("cast to what?")
        .with_help("write `cast<f32>(...)`");
  }
  ExprPtr value = check(*expr.args[0].value);
  settle(value);
  if (!dtype || !number_operand(*value, "cast")) return failed(expr.span);
  const ir::Type type =
      is_tensor(value->type) ? tensor_type(value->type->shape, *dtype) : scalar_type(*dtype);
  return unary_op(expr.span, type, ir::OpKind::cast, std::move(value));
}

ExprPtr Body::prelude_float(const std::string& name, const syntax::Call& expr) {
  if (refuse_generics(name, expr) || !check_arguments(name, expr, 1, 1)) return fail_call(expr);
  ExprPtr value = check(*expr.args[0].value);
  settle(value);
  if (!number_operand(*value, name)) return failed(expr.span);
  if (!context_.classes.is_floating(value->type->dtype)) {
    const ir::Dtype& dtype = value->type->dtype;
    error("E2104", expr.args[0].span, "`" + name + "` of `" + render(dtype) + "`")
        .with_label("this is `" + render(value->type) + "`")
        .with_help(dtype.is_variable
                       ? "declare `" + dtype.name + ": Float`"
                       : "`" + name + "` is for floats: write `" + name + "(cast<f32>(...))`");
    return failed(expr.span);
  }
  const ir::Type type = value->type;
  return unary_op(expr.span, type, op_named(name), std::move(value));
}

ExprPtr Body::prelude_abs(const syntax::Call& expr) {
  if (refuse_generics("abs", expr) || !check_arguments("abs", expr, 1, 1)) return fail_call(expr);
  ExprPtr value = check(*expr.args[0].value);
  settle(value);
  if (!number_operand(*value, "abs")) return failed(expr.span);
  if (!context_.classes.is_numeric(value->type->dtype)) {
    error("E2104", expr.args[0].span, "`abs` of `" + render(value->type->dtype) + "`")
        .with_label("this is `" + render(value->type) + "`")
        .with_help("`abs` is for numbers");
    return failed(expr.span);
  }
  const ir::Type type = value->type;
  return unary_op(expr.span, type, ir::OpKind::abs, std::move(value));
}

ExprPtr Body::prelude_min_max(const std::string& name, const syntax::Call& expr) {
  if (refuse_generics(name, expr) || !check_arguments(name, expr, 2, 2)) return fail_call(expr);
  ExprPtr a = check(*expr.args[0].value);
  ExprPtr b = check(*expr.args[1].value);
  if (const ir::Dim x = compile_time(*a), y = compile_time(*b); x && y) {
    const auto dim =
        resolver().limited(name == "min" ? dims::min(x, y) : dims::max(x, y), expr.span);
    return dim ? dim_value(expr.span, *dim) : failed(expr.span);
  }
  if (mentions_poison(a->type) || mentions_poison(b->type)) return failed(expr.span);
  if (!check_operand(*a, name) || !check_operand(*b, name)) return failed(expr.span);
  for (const ExprPtr* side : {&a, &b}) {
    const ir::Type& type = (*side)->type;
    if (is_pending_number(type) || context_.classes.is_numeric(type->dtype)) continue;
    error("E2104", (*side)->span, "`" + name + "` of `" + render(type->dtype) + "`")
        .with_label("this is `" + render(type) + "`")
        .with_help("`" + name + "` is for numbers");
    return failed(expr.span);
  }
  if (!match_operands(a, b, name, expr.span)) return failed(expr.span);
  const ir::Type type = broadcast({a.get(), b.get()}, a->type->dtype, expr.span);
  if (is_poison(type)) return failed(expr.span);
  return binary_op(expr.span, type, op_named(name), std::move(a), std::move(b));
}

ExprPtr Body::prelude_shift(const std::string& name, const syntax::Call& expr) {
  if (refuse_generics(name, expr) || !check_arguments(name, expr, 2, 2)) return fail_call(expr);
  ExprPtr value = check(*expr.args[0].value);
  ExprPtr bits = check(*expr.args[1].value);
  if (mentions_poison(value->type) || mentions_poison(bits->type)) return failed(expr.span);
  if (!check_operand(*value, name) || !check_operand(*bits, name)) return failed(expr.span);
  for (const ExprPtr* side : {&value, &bits}) {
    const ir::Type& type = (*side)->type;
    const bool integer = is_pending_number(type) ? type == pending_integer()
                                                 : context_.classes.is_integer(type->dtype);
    if (integer) continue;
    error("E2104", (*side)->span,
          "`" + name + "` of " +
              (is_pending_number(type) ? render(type) : "a `" + render(type->dtype) + "`"))
        .with_label("no integer")
        .with_help("shifts are for integers");
    return failed(expr.span);
  }
  if (!match_operands(value, bits, name, expr.span)) return failed(expr.span);
  const ir::Type type = broadcast({value.get(), bits.get()}, value->type->dtype, expr.span);
  if (is_poison(type)) return failed(expr.span);
  return binary_op(expr.span, type, op_named(name), std::move(value), std::move(bits));
}

ExprPtr Body::prelude_select(const syntax::Call& expr) {
  if (refuse_generics("select", expr) || !check_arguments("select", expr, 3, 3)) {
    return fail_call(expr);
  }
  ExprPtr condition = check(*expr.args[0].value);
  ExprPtr a = check(*expr.args[1].value);
  ExprPtr b = check(*expr.args[2].value);
  settle(condition);
  if (mentions_poison(condition->type) || mentions_poison(a->type) || mentions_poison(b->type)) {
    return failed(expr.span);
  }
  if (!is_number_like(condition->type) || !is_bool(condition->type->dtype)) {
    error("E2114", condition->span, "the condition of `select` must be `bool`")
        .with_label("this is `" + render(condition->type) + "`")
        .with_help("write a comparison, such as `x > 0.0`");
    return failed(expr.span);
  }
  if (!check_operand(*a, "select") || !check_operand(*b, "select")) return failed(expr.span);
  if (!match_operands(a, b, "select", expr.span)) return failed(expr.span);
  const ir::Type type = broadcast({condition.get(), a.get(), b.get()}, a->type->dtype, expr.span);
  if (is_poison(type)) return failed(expr.span);
  std::vector<ExprPtr> operands;
  operands.push_back(std::move(condition));
  operands.push_back(std::move(a));
  operands.push_back(std::move(b));
  return elementwise(expr.span, type, ir::OpKind::select, std::move(operands));
}

}  // namespace linnet::sema
