#include "codegen/cpp/entry.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "codegen/cpp/positions.hpp"
#include "codegen/ir/build.hpp"
#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::cpp {

using ir::TypeKind;

namespace {

/// The text of a default that is a literal; empty when it is something else.
std::string default_text(const ProgramNames& names, const Spelling& spelling,
                         const ir::Region& region) {
  if (region.ops.size() < 2) return "";
  const ir::Op& end = region.ops.back();
  if (end.operands.size() != 1) return "";
  // Constants, casts and negations of one another: written by the body writer's own rules is
  // more than a default needs, so only what literals lower to is taken.
  const ir::Op* op = nullptr;
  for (const ir::Op& each : region.ops) {
    if (!each.results.empty() && each.results[0].id == end.operands[0]) op = &each;
  }
  if (op == nullptr) return "";
  if (op->kind == ir::OpKind::enum_const) {
    const ir::Type& type = op->results[0].type;
    const auto found = names.enums.find(type->module + "::" + type->name);
    if (found == names.enums.end()) return "";
    return found->second + "::" + identifier(op->attrs.name);
  }
  bool negative = false;
  while (op != nullptr && op->kind == ir::OpKind::neg) {
    negative = !negative;
    const int operand = op->operands.at(0);
    op = nullptr;
    for (const ir::Op& each : region.ops) {
      if (!each.results.empty() && each.results[0].id == operand) op = &each;
    }
  }
  if (op == nullptr) return "";
  const bool constant = op->kind == ir::OpKind::const_int || op->kind == ir::OpKind::const_float ||
                        op->kind == ir::OpKind::const_bool || op->kind == ir::OpKind::const_dim;
  if (!constant) return "";
  std::string number;
  if (const auto* integer = std::get_if<std::int64_t>(&op->attrs.value)) {
    number = "std::int64_t(" + std::to_string(*integer) + ")";
  } else if (const auto* real = std::get_if<double>(&op->attrs.value)) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.17g", *real);
    number = std::string("double(") + buffer + ")";
  } else if (const auto* dim = std::get_if<ir::Dim>(&op->attrs.value)) {
    number = "std::int64_t(" + spelling.value(*dim).text + ")";
  } else {
    return "";
  }
  return "linnet::arith::cast<" + spelling.dtype(op->results[0].type->dtype) + ">(" +
         (negative ? "-" : "") + number + ")";
}

class EntryWriter {
 public:
  EntryWriter(const ProgramIndex& index, const ProgramNames& names, const Surroundings& around,
              const ir::Function& function, const std::string& entry_name, Text& out)
      : index_(index),
        names_(names),
        around_(around),
        function_(function),
        name_(entry_name),
        out_(&out),
        scope_(around.scope),
        spelling_(around.spelling) {
    spelling_.declare(function.generics, scope_);
    for (const char* taken : {"inputs", "reader", "expected", "result", "given", "bound"}) {
      scope_.reserve(taken);
    }
    signature_ = make_signature(index, function, scope_);
    generics_ = spelling_.template_arguments(function.generics);
    const std::string parameters = spelling_.template_parameters(function.generics);
    head_ = "template <" + (parameters.empty() ? "" : parameters + ", ") +
            "linnet::Numerics P = linnet::Numerics::" + names.numerics + ">";
    arguments_ = (generics_.empty() ? "" : generics_ + ", ") + std::string("P");
    body_arguments_ = "P" + (generics_.empty() ? "" : ", " + generics_);
    const std::string body = names.functions.at(function.name);
    const std::size_t colons = body.rfind("::");
    body_name_ = colons == std::string::npos ? body : body.substr(colons + 2);
    const std::string frame = names.frames.at(function.name);
    const std::size_t frame_colons = frame.rfind("::");
    frame_name_ = frame_colons == std::string::npos ? frame : frame.substr(frame_colons + 2);
  }

  void write() {
    write_workspace();
    out_->blank();
    write_typed();
    out_->blank();
    write_dynamic();
  }

 private:
  std::string prefix() const { return function_.block.empty() ? "inline " : ""; }

  std::string scalar_text(const ir::Type& type) const {
    if (type->kind == TypeKind::enumeration) {
      const auto found = names_.enums.find(type->module + "::" + type->name);
      return found == names_.enums.end() ? "int" : found->second;
    }
    return spelling_.dtype(type->dtype);
  }

  std::string result_leaf_type(const Leaf& leaf) const {
    if (leaf.presence) return "bool";
    if (leaf.type->kind == TypeKind::tensor) {
      return spelling_.view(leaf.type->shape, leaf.type->dtype, true);
    }
    return scalar_text(leaf.type);
  }

  std::string parameter_type(const Leaf& leaf) const {
    if (leaf.type->kind == TypeKind::optional) {
      const ir::Type& inner = leaf.type->elements.at(0);
      return "std::optional<" +
             (inner->kind == TypeKind::tensor ? spelling_.view(inner->shape, inner->dtype, true)
                                              : scalar_text(inner)) +
             ">";
    }
    if (leaf.type->kind == TypeKind::tensor) {
      return spelling_.view(leaf.type->shape, leaf.type->dtype, true);
    }
    return scalar_text(leaf.type);
  }

  std::string result_type() const {
    if (signature_.results.empty()) return "void";
    if (signature_.results.size() == 1) return result_leaf_type(signature_.results[0]);
    std::string text = "std::tuple<";
    for (std::size_t i = 0; i < signature_.results.size(); ++i) {
      text += (i == 0 ? "" : ", ") + result_leaf_type(signature_.results[i]);
    }
    return text + ">";
  }

  void write_workspace() {
    std::vector<Slot> slots;
    for (const Leaf& leaf : signature_.results) {
      if (leaf.type->kind != TypeKind::tensor || leaf.presence) continue;
      slots.push_back(
          {"linnet::ops::buffer<" + spelling_.view(leaf.type->shape, leaf.type->dtype) + ">",
           leaf.name, 0, 0, 0});
    }
    slots.push_back(
        {"linnet::ops::frame_of<" + frame_name_ + "<" + body_arguments_ + ">>", "frame", 0, 0, 0});
    write_frame(head_, name_ + "_workspace", slots, "", *out_);
    out_->blank();
    out_->line("/// Bytes of workspace that a call of `" + name_ + "` needs.");
    out_->line(head_);
    out_->line((function_.block.empty() ? "inline " : "static ") +
               std::string("constexpr std::size_t ") + name_ +
               "_workspace_bytes = linnet::workspace_size(" + name_ + "_workspace<" + arguments_ +
               ">::bytes);");
  }

  void write_constraints() {
    for (const ir::Constraint& constraint : function_.constraints) {
      const std::string relation(ir::relation_symbol(constraint.relation));
      const std::string text = constraint.text.empty() ? ir::to_text(constraint) : constraint.text;
      out_->open("if (!(" + spelling_.value(constraint.lhs).operand() + " " + relation + " " +
                 spelling_.value(constraint.rhs).operand() + "))");
      std::string values;
      std::set<std::string> seen;
      collect_symbols(constraint.lhs, values, seen);
      collect_symbols(constraint.rhs, values, seen);
      out_->line("return linnet::constraint_error(" + quoted(text) + ", {" + values + "});");
      out_->close();
    }
  }

  void collect_symbols(const ir::Dim& dim, std::string& values, std::set<std::string>& seen) {
    if (dim->kind == ir::DimKind::symbol && seen.insert(dim->name).second) {
      values += (values.empty() ? "" : ", ") + std::string("{") + quoted(dim->name) + ", " +
                spelling_.value(dim).text + "}";
    }
    for (const ir::Dim& arg : dim->args) collect_symbols(arg, values, seen);
  }

  void write_positions() {
    for (const PositionUse& use : find_positions(index_, function_)) {
      const ir::Value& arg = function_.body.args.at(use.parameter);
      if (arg.type->kind != TypeKind::tensor && arg.type->kind != TypeKind::scalar) continue;
      // The parameter's one leaf, counted without the block.
      std::size_t at = 0;
      for (std::size_t i = 0; i < use.parameter; ++i) {
        std::vector<Leaf> leaves;
        if (function_.body.args[i].type->kind == TypeKind::block) continue;
        collect_leaves(index_, function_.body.args[i].type, "x", false, leaves);
        at += leaves.size();
      }
      out_->open("if (!linnet::ops::check_positions(context, " + signature_.parameters.at(at).name +
                 ", " + spelling_.value(use.extent).text + "))");
      out_->line("return context.take_error();");
      out_->close();
    }
  }

  /// The call of the body inside an open function; views and scalars are named as the leaves.
  void write_typed() {
    out_->doc(function_.doc);
    out_->line("// entry " + source_signature(function_));
    for (const ir::Constraint& constraint : function_.constraints) {
      out_->line("// where " +
                 (constraint.text.empty() ? ir::to_text(constraint) : constraint.text));
    }
    out_->line("/// The result lies in the context's workspace until its next call.");
    out_->line(head_);
    std::string parameters = "linnet::Context& context";
    std::string given = "bound";
    for (const Leaf& leaf : signature_.parameters) {
      const bool view = leaf.type->kind == TypeKind::tensor;
      parameters += ", " +
                    (view ? "const " + parameter_type(leaf) + "& " : parameter_type(leaf) + " ") +
                    leaf.name;
      if (view) given += ", " + leaf.name;
      if (leaf.type->kind == TypeKind::optional &&
          leaf.type->elements.at(0)->kind == TypeKind::tensor) {
        given += ", " + leaf.name;
      }
    }
    parameters += ", const auto& bound";
    // Without symbols of its own.
    out_->open("[[nodiscard]] " + prefix() + "linnet::Result<" + result_type() + "> " + name_ +
               "_bound(" + parameters + ")");
    write_call_body();
    out_->close();
    out_->blank();
    // Tensors are taken as they come, so that one that does not fit is refused in words.
    std::string plain = "linnet::Context& context";
    std::string forwarded = "context";
    std::string views;
    std::string checks;
    std::vector<std::string> conversions;
    for (const Leaf& leaf : signature_.parameters) {
      const bool view = leaf.type->kind == TypeKind::tensor;
      const bool optional_view = leaf.type->kind == TypeKind::optional &&
                                 leaf.type->elements.at(0)->kind == TypeKind::tensor;
      std::string name = leaf.name;
      plain += ", " + (view ? "const auto& " : parameter_type(leaf) + " ") + leaf.name;
      if (view) {
        name = scope_.name(leaf.name + "_view");
        conversions.push_back("const auto " + name + " = linnet::checked_argument<" +
                              quoted(leaf.name) + ", " + parameter_type(leaf) + ">(" + leaf.name +
                              ");");
        views += (views.empty() ? "" : ", ") + name;
      }
      forwarded += ", " + name;
      if (view || optional_view) {
        checks += (checks.empty() ? "" : " && ") + std::string("linnet::ops::fits(context, ") +
                  quoted(leaf.name) + ", " + name + ", bound)";
      }
    }
    out_->doc(function_.doc);
    out_->line(head_);
    out_->open("[[nodiscard]] " + prefix() + "linnet::Result<" + result_type() + "> " + name_ +
               "(" + plain + ")");
    for (const std::string& conversion : conversions) out_->line(conversion);
    out_->line("const auto bound = linnet::symbol_values(" + views + ");");
    if (!checks.empty()) {
      out_->line("context.clear_error();");
      out_->open("if (!(" + checks + "))");
      out_->line("return context.take_error();");
      out_->close();
    }
    out_->line("return " + std::string(function_.block.empty() ? "" : "this->template ") + name_ +
               "_bound<" + arguments_ + ">(" + forwarded + ", bound);");
    out_->close();
  }

  void write_call_body() {
    out_->line("const auto& symbols = bound;");
    out_->line("using Workspace = " + name_ + "_workspace<" + arguments_ + ">;");
    Text* const opened = out_;
    Text rest(opened->level());
    out_ = &rest;
    out_->line("context.clear_error();");
    write_constraints();
    write_positions();
    out_->line("std::byte* const frame = linnet::frame_in(context.workspace, Workspace::bytes);");
    out_->open("if (frame == nullptr && Workspace::bytes > 0)");
    out_->line("return linnet::ops::workspace_error(" + quoted(name_) +
               ", linnet::workspace_size(Workspace::bytes), context.workspace.size());");
    out_->close();
    std::string call = function_.block.empty() ? "" : "this->template ";
    call += body_name_ + "<" + body_arguments_ + ">(context, symbols, frame";
    std::size_t slots = 0;
    for (const Leaf& leaf : signature_.results) {
      if (leaf.type->kind == TypeKind::tensor && !leaf.presence) ++slots;
    }
    call += " + Workspace::at(" + std::to_string(slots) + ")";
    std::size_t slot = 0;
    std::string values;
    for (const Leaf& leaf : signature_.results) {
      values += (values.empty() ? "" : ", ") + result_leaf_type(leaf) + "(" + leaf.name + ")";
      if (leaf.type->kind == TypeKind::tensor && !leaf.presence) {
        out_->line("const auto " + leaf.name + " = linnet::ops::place<" +
                   spelling_.view(leaf.type->shape, leaf.type->dtype) + ">(frame, Workspace::at(" +
                   std::to_string(slot++) + "), symbols);");
      } else if (!signature_.returns_scalar) {
        out_->line((leaf.presence ? "bool" : scalar_text(leaf.type)) + " " + leaf.name + "{};");
      }
      if (!signature_.returns_scalar) call += ", " + leaf.name;
    }
    for (const Leaf& leaf : signature_.parameters) call += ", " + leaf.name;
    call += ")";
    if (signature_.returns_scalar) {
      out_->line("const " + scalar_text(signature_.results[0].type) + " " +
                 signature_.results[0].name + " = " + call + ";");
    } else {
      out_->line(call + ";");
    }
    out_->line(
        function_.states.empty()
            ? "if (context.failed()) return context.take_error();"
            : "if (context.failed()) return linnet::ops::state_error(context.take_error());");
    if (signature_.results.empty()) {
      out_->line("return {};");
    } else if (signature_.results.size() == 1) {
      out_->line("return " + values + ";");
    } else {
      out_->line("return " + result_type() + "(" + values + ");");
    }
    out_ = opened;
    write_values(rest.str());
    out_->raw(rest.str());
  }

  /// The values of the generics that `text` mentions.
  void write_values(const std::string& text) {
    write_generic_values(spelling_, around_.block_generics, text, *out_);
    write_generic_values(spelling_, function_.generics, text, *out_);
  }

  void write_dynamic() {
    out_->line("/// `" + name_ + "` on tensors that are described at run time, by parameter name.");
    out_->line(head_);
    out_->open("[[nodiscard]] " + prefix() + "linnet::Result<linnet::ops::Outputs> " + name_ +
               "_dynamic(linnet::Context& context, const linnet::ops::Inputs& inputs)");
    out_->line("linnet::ops::InputReader reader(inputs);");
    std::size_t at = 0;
    std::vector<std::string> expected;
    std::vector<std::string> views;
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < function_.body.args.size(); ++i) {
      const ir::Value& arg = function_.body.args[i];
      if (arg.type->kind == TypeKind::block) continue;
      std::vector<Leaf> leaves;
      collect_leaves(index_, arg.type, "x", false, leaves);
      const auto found = function_.defaults.find(static_cast<int>(i));
      std::string fallback;
      if (found != function_.defaults.end()) {
        fallback = default_text(names_, spelling_, found->second);
      }
      for (std::size_t part = 0; part < leaves.size(); ++part) {
        const Leaf& leaf = signature_.parameters.at(at++);
        const bool optional = leaf.type->kind == TypeKind::optional;
        const ir::Type inner = optional ? leaf.type->elements.at(0) : leaf.type;
        // A variant arrives as its position.
        const bool is_enum = inner->kind == TypeKind::enumeration;
        const ir::ShapeUnits shape =
            inner->kind == TypeKind::tensor ? inner->shape : ir::ShapeUnits{};
        const std::string view = is_enum ? "linnet::TensorView<const std::int32_t>"
                                         : spelling_.view(shape, inner->dtype, true);
        const bool may_miss = optional || !fallback.empty();
        const std::string given = "given_" + std::to_string(at - 1);
        out_->line("const linnet::AnyTensor* const " + given + " = reader.find(" +
                   quoted(arg.name) + ", " + std::to_string(part) + ", " +
                   std::to_string(leaves.size()) + ", " + (may_miss ? "false" : "true") + ");");
        expected.push_back("linnet::expected_input<" + view + ">(" + quoted(arg.name) + ", " +
                           given + ")");
        views.push_back(view);
        const std::string read = "linnet::as_view<" + view + ">(*" + given + ", *bound)";
        std::string value = inner->kind == TypeKind::tensor ? read : read + "()";
        if (is_enum) value = "static_cast<" + scalar_text(inner) + ">(" + value + ")";
        if (optional) {
          arguments.push_back(given + " == nullptr ? " + parameter_type(leaf) +
                              "() : " + parameter_type(leaf) + "(" + value + ")");
        } else if (!fallback.empty()) {
          arguments.push_back(given + " == nullptr ? " + fallback + " : " + value);
        } else {
          arguments.push_back(value);
        }
      }
    }
    out_->line("if (auto ready = reader.finish(); !ready) return std::move(ready).error();");
    std::string list;
    for (std::size_t i = 0; i < expected.size(); ++i) list += (i == 0 ? "" : ", ") + expected[i];
    std::string types;
    for (std::size_t i = 0; i < views.size(); ++i) types += (i == 0 ? "" : ", ") + views[i];
    if (expected.empty()) {
      out_->line("const linnet::NoSymbols nothing;");
      out_->line("const auto* const bound = &nothing;");
    } else {
      out_->line("const linnet::ExpectedInput expected[] = {" + list + "};");
      out_->line("const auto bound = linnet::bind_inputs<linnet::symbols_of<" + types +
                 ">>(expected);");
      out_->line("if (!bound) return bound.error();");
    }
    std::string call = function_.block.empty() ? "" : "this->template ";
    call += name_ + "_bound<" + arguments_ + ">(context";
    for (const std::string& argument : arguments) call += ", " + argument;
    // Defaults may mention generics.
    Text values(out_->level());
    Text* const opened = out_;
    out_ = &values;
    write_values(call);
    out_ = opened;
    if (!values.empty()) {
      out_->line("const auto& symbols = *bound;");
      out_->raw(values.str());
    }
    out_->line("auto result = " + call + ", *bound);");
    out_->line("if (!result) return std::move(result).error();");
    out_->line(signature_.results.empty() ? "return linnet::ops::Outputs{};"
                                          : "return linnet::ops::outputs(*result);");
    out_->close();
  }

  const ProgramIndex& index_;
  const ProgramNames& names_;
  const Surroundings& around_;
  const ir::Function& function_;
  std::string name_;
  Text* out_;
  Scope scope_;
  Spelling spelling_;
  Signature signature_;
  std::string generics_, head_, arguments_, body_arguments_, body_name_, frame_name_;
};

}  // namespace

void write_entry(const ProgramIndex& index, const ProgramNames& names, const Surroundings& around,
                 const ir::Function& function, const std::string& entry_name, Text& out) {
  EntryWriter(index, names, around, function, entry_name, out).write();
}

}  // namespace linnet::cpp
