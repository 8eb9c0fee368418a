// Readable text of a whole program: `%3 S: f32 = add %1, %2`.

#include <fmt/format.h>

#include <iterator>

#include "codegen/ir/names.hpp"
#include "codegen/ir/print.hpp"

namespace linnet::ir {
namespace {

class Dumper {
 public:
  explicit Dumper(std::string& out) : out_(out) {}

  void program(const Program& program) {
    line(0, "module {}", program.module);
    if (program.root) line(0, "root {}{}", program.root->name, to_text(program.root->generics));
    for (const ManifestEntry& entry : program.manifest) {
      std::string repeat;
      for (const Dim& count : entry.repeat) repeat += " x " + to_text(count);
      line(1, "{} {}: [{}; {}]{}{}", member_kind_name(entry.kind), entry.path, to_text(entry.shape),
           to_text(entry.dtype), repeat, entry.optional ? " optional" : "");
    }
    for (const auto& [name, block] : program.blocks) this->block(block);
    for (const Constant& constant : program.constants) {
      line(0, "");
      line(0, "{}const {}: {}{}", constant.is_public ? "pub " : "", constant.name,
           to_text(constant.type), constant.contextual ? " contextual" : "");
      region(1, constant.body);
    }
    for (const Function& function : program.functions) this->function(function);
  }

 private:
  std::string& out_;

  template <class... Args>
  void line(int depth, fmt::format_string<Args...> format, Args&&... args) {
    const auto start = out_.size();
    out_.append(static_cast<std::size_t>(depth) * 2, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    if (out_.find_first_not_of(' ', start) == std::string::npos) out_.resize(start);
    out_ += '\n';
  }

  void constraints(const std::vector<Constraint>& list) {
    for (const Constraint& constraint : list) line(1, "where {}", to_text(constraint));
  }

  void block(const Block& block) {
    line(0, "");
    line(0, "{}block {}.{}{}", block.is_public ? "pub " : "", block.module, block.name,
         to_text(block.generics));
    constraints(block.constraints);
    for (const Member& member : block.members) {
      line(1, "{} {}: {}", member_kind_name(member.kind), member.name, to_text(member.type));
    }
  }

  void function(const Function& function) {
    line(0, "");
    std::string results;
    for (const Type& type : function.results) {
      results += (results.empty() ? " -> " : ", ") + to_text(type);
    }
    line(0, "{}{} {}{}({}){}", function.is_public ? "pub " : "", function_kind_name(function.kind),
         function.name, to_text(function.generics), values(function.body.args), results);
    constraints(function.constraints);
    for (const std::string& state : function.states) line(1, "state {}", state);
    if (function.kernel) kernel(*function.kernel);
    ops(1, function.body);
    if (function.grad) {
      line(1, "grad({})", values(function.grad->args));
      ops(2, *function.grad);
    }
  }

  void kernel(const KernelBinding& kernel) {
    if (!kernel.callee.empty()) {
      line(1, "kernel {}{}", kernel.callee, arguments(kernel.generics));
      return;
    }
    std::string grid;
    for (const Dim& extent : kernel.grid) grid += (grid.empty() ? "" : ", ") + to_text(extent);
    line(1, "grid({}) -> {}", grid, values(kernel.results));
    if (kernel.warps) line(1, "warps({})", *kernel.warps);
    if (kernel.stages) line(1, "stages({})", *kernel.stages);
  }

  static std::string arguments(const std::vector<GenericArgument>& list) {
    if (list.empty()) return {};
    std::string text;
    for (const GenericArgument& argument : list) {
      text += (text.empty() ? "<" : ", ") + to_text(argument);
    }
    return text + ">";
  }

  static std::string values(const std::vector<Value>& list) {
    std::string text;
    for (const Value& value : list) {
      if (!text.empty()) text += ", ";
      text += fmt::format("%{}", value.id);
      if (!value.name.empty()) text += " " + value.name;
      text += ": " + to_text(value.type);
    }
    return text;
  }

  void region(int depth, const Region& region) {
    if (!region.args.empty()) line(depth, "({})", values(region.args));
    ops(depth, region);
  }

  void ops(int depth, const Region& region) {
    for (const Op& op : region.ops) this->op(depth, op);
  }

  void op(int depth, const Op& op) {
    std::string text = values(op.results);
    if (!text.empty()) text += " = ";
    text += op_name(op.kind);
    text += attributes(op);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      text += fmt::format("{} %{}", i == 0 ? "" : ",", op.operands[i]);
    }
    line(depth, "{}", text);
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      const bool has_variant = op.kind == OpKind::enum_match && i < op.attrs.variants.size();
      line(depth + 1, "{}", has_variant ? op.attrs.variants[i] + ":" : "region:");
      region(depth + 2, op.regions[i]);
    }
  }

  static std::string attributes(const Op& op) {
    const Attributes& attrs = op.attrs;
    std::string text;
    if (const auto* integer = std::get_if<std::int64_t>(&attrs.value)) {
      text += fmt::format(" {}", *integer);
    } else if (const auto* number = std::get_if<double>(&attrs.value)) {
      text += fmt::format(" {}", *number);
    } else if (const auto* dim = std::get_if<Dim>(&attrs.value)) {
      text += " " + to_text(*dim);
    }
    if (!attrs.name.empty()) text += " ." + attrs.name;
    if (!attrs.callee.empty()) text += " " + attrs.callee + arguments(attrs.generics);
    if (!attrs.selected.empty()) text += " selected " + attrs.selected;
    switch (op.kind) {
      case OpKind::compare:
        text += fmt::format(".{}", relation_name(attrs.compare));
        break;
      case OpKind::reduce:
        text += fmt::format(".{}", reduce_name(attrs.reduce));
        break;
      case OpKind::reshape:
      case OpKind::broadcast:
      case OpKind::fill:
      case OpKind::iota:
        text += " [" + to_text(attrs.shape) + "]";
        break;
      case OpKind::permute:
        text += fmt::format(" [{}]", fmt::join(attrs.permutation, ", "));
        break;
      case OpKind::slice:
        text += slice(attrs.axes);
        break;
      case OpKind::concat:
      case OpKind::cumsum:
      case OpKind::kernel_program_id:
        text += fmt::format(" axis {}", attrs.axis);
        break;
      default:
        break;
    }
    for (const IndexDomain& index : attrs.indices) {
      text += fmt::format(" {} in [{}]", index.name, to_text(index.domain));
    }
    return text;
  }

  static std::string slice(const std::vector<SliceAxis>& axes) {
    std::string text;
    for (const SliceAxis& axis : axes) {
      text += text.empty() ? " [" : ", ";
      if (axis.whole) {
        text += ":";
      } else if (!axis.start) {
        text += "%";
      } else if (axis.squeeze) {
        text += to_text(axis.start);
      } else {
        text += fmt::format("{}:{}:{}", to_text(axis.start), axis.stop ? to_text(axis.stop) : "",
                            axis.step ? to_text(axis.step) : "");
      }
    }
    return text + "]";
  }
};

}  // namespace

std::string dump(const Program& program) {
  std::string out;
  Dumper(out).program(program);
  return out;
}

}  // namespace linnet::ir
