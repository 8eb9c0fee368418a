// Plan JSON → Core IR: the document and its declarations.

#include <set>
#include <string>
#include <utility>

#include "codegen/ir/names.hpp"
#include "codegen/plan/complete.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/plan/reading.hpp"

namespace linnet::plan {
namespace {

using namespace ir;

/// A dotted path of a member; `[*]` may follow a name, with or without a dot before it.
bool is_member_path(std::string_view text) {
  for (;;) {
    std::size_t end = text.find('.');
    std::string_view part = text.substr(0, end);
    if (part.size() > 3 && part.substr(part.size() - 3) == "[*]") {
      part.remove_suffix(3);
    }
    if (!is_identifier(part)) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

/// `layers.[*].weight` becomes `layers[*].weight`, the one spelling inside Linnet.
std::string normal_path(std::string path) {
  for (std::size_t at = path.find(".[*]"); at != std::string::npos; at = path.find(".[*]")) {
    path.erase(at, 1);
  }
  return path;
}

std::string member_path(Reading& in, const Node& node) {
  if (!node.json().is_string()) {
    in.problem(node, "must be the path of a member");
    return {};
  }
  std::string path = normal_path(node.json().get<std::string>());
  if (!is_member_path(path)) in.problem(node, in_quotes(path) + " is no path of a member");
  return path;
}

/// `module.path::name` or `module.path::Block.method`.
bool is_function_name(std::string_view text) {
  const std::size_t colons = text.find("::");
  return colons != std::string_view::npos && is_path(text.substr(0, colons)) &&
         is_path(text.substr(colons + 2));
}

std::string read_name(Reading& in, const Node& node, bool (*is_name)(std::string_view),
                      std::string_view what) {
  const auto name = in.string(node, "name");
  if (name && !is_name(*name)) {
    in.problem(node, in_quotes(*name) + " is no name of a " + std::string(what));
  }
  return name.value_or("");
}

MemberKind read_member_kind(Reading& in, const Node& node) {
  return in.word(node, "kind", "kind of member", parse_member_kind).value_or(MemberKind::param);
}

Member read_member(Reading& in, const Node& node) {
  Member out;
  out.name = in.identifier(node, "name");
  out.kind = read_member_kind(in, node);
  out.type = in.type(node, "type");
  out.doc = in.prose(node, "doc");
  return out;
}

Block read_block(Reading& in, const Node& node, const std::string& key) {
  Block out;
  const std::size_t colons = key.rfind("::");
  out.name = colons == std::string::npos ? key : key.substr(colons + 2);
  if (!is_identifier(out.name)) in.problem(node, in_quotes(out.name) + " is no name");
  out.module = in.module_path(node, "module");
  out.is_public = in.boolean(node, "pub");
  out.generics = in.generics(node);
  out.constraints = in.constraints(node);
  out.members =
      in.list(node, "members", [&](const Node& member) { return read_member(in, member); });
  out.doc = in.prose(node, "doc");
  return out;
}

ManifestEntry read_manifest_entry(Reading& in, const Node& node) {
  ManifestEntry out;
  if (const Json* path = in.field(node, "path")) {
    out.path = member_path(in, Node(*path, node, "path"));
  }
  out.kind = read_member_kind(in, node);
  if (const Json* dtype = in.field(node, "dtype"))
    out.dtype = in.dtype(Node(*dtype, node, "dtype"));
  out.shape = in.shape(node, "shape");
  out.repeat = in.list(node, "repeat", [&](const Node& dim) { return in.dim(dim); });
  out.optional = in.boolean(node, "optional");
  return out;
}

std::optional<std::int64_t> read_hint(Reading& in, const Node& node, std::string_view key) {
  const Json* value = in.optional_field(node, key);
  if (value == nullptr) return std::nullopt;
  return in.integer(node, key, 1, 1024);
}

/// The format leaves the inside of `kernel` open; what is not there in our spelling is
/// taken from where it can be: a kernel's named results may be the last arguments of
/// its body.
KernelBinding read_kernel(Reading& in, const Node& node, Function& function) {
  KernelBinding out;
  if (!in.object(node)) return out;
  if (function.kind != FunctionKind::kernel) {
    if (in.optional_field(node, "callee") != nullptr) {
      out.callee = in.string(node, "callee").value_or("");
    }
    if (in.optional_field(node, "generics") != nullptr) {
      out.generics = in.list(node, "generics", [&](const Node& arg) { return in.argument(arg); });
    }
    return out;
  }
  if (in.optional_field(node, "grid") != nullptr) {
    out.grid = in.list(node, "grid", [&](const Node& dim) { return in.dim(dim); });
  }
  out.warps = read_hint(in, node, "warps");
  out.stages = read_hint(in, node, "stages");
  if (in.optional_field(node, "results") != nullptr) {
    out.results =
        in.list(node, "results", [&](const Node& value) { return read_value(in, value); });
  } else if (function.body.args.size() >= function.results.size()) {
    auto& args = function.body.args;
    const auto first = args.end() - static_cast<std::ptrdiff_t>(function.results.size());
    out.results.assign(first, args.end());
    args.erase(first, args.end());
  }
  return out;
}

void read_defaults(Reading& in, const Node& node, Function& out) {
  const auto defaults = in.list(node, "defaults", [&](const Node& item) {
    const int position = static_cast<int>(in.integer(item, "parameter", 0, Reading::max_number));
    return std::pair(position, read_region(in, item, "body"));
  });
  for (const auto& [position, region] : defaults) out.defaults.insert_or_assign(position, region);
}

Function read_function(Reading& in, const Node& node) {
  Function out;
  out.name = read_name(in, node, is_function_name, "function");
  out.kind =
      in.word(node, "kind", "kind of function", parse_function_kind).value_or(FunctionKind::fn);
  if (in.optional_field(node, "block") != nullptr) {
    out.block = in.string(node, "block").value_or("");
  }
  out.is_public = in.boolean(node, "pub");
  out.generics = in.generics(node);
  out.constraints = in.constraints(node);
  out.results = in.list(node, "results", [&](const Node& type) { return in.type(type); });
  out.states = in.list(node, "states", [&](const Node& path) { return member_path(in, path); });
  out.body = read_region(in, node, "body");
  if (in.optional_field(node, "grad") != nullptr) out.grad = read_region(in, node, "grad");
  if (const Json* kernel = in.optional_field(node, "kernel")) {
    out.kernel = read_kernel(in, Node(*kernel, node, "kernel"), out);
  }
  if (in.optional_field(node, "defaults") != nullptr) read_defaults(in, node, out);
  out.doc = in.prose(node, "doc");
  return out;
}

Constant read_constant(Reading& in, const Node& node) {
  Constant out;
  const auto is_constant_name = [](std::string_view name) {
    return is_function_name(name) || is_path(name);
  };
  out.name = read_name(in, node, is_constant_name, "constant");
  out.is_public = in.boolean(node, "pub");
  out.type = in.type(node, "type");
  out.contextual = in.boolean(node, "contextual");
  out.body = read_region(in, node, "body");
  return out;
}

Structure read_structure(Reading& in, const Node& node) {
  Structure out;
  out.name = in.identifier(node, "name");
  out.module = in.module_path(node, "module");
  out.generics = in.generics(node);
  out.fields = in.list(node, "fields", [&](const Node& field) {
    return std::pair(in.identifier(field, "name"), in.type(field, "type"));
  });
  out.doc = in.prose(node, "doc");
  return out;
}

Enumeration read_enumeration(Reading& in, const Node& node) {
  Enumeration out;
  out.name = in.identifier(node, "name");
  out.module = in.module_path(node, "module");
  out.variants =
      in.list(node, "variants", [&](const Node& variant) { return in.identifier(variant); });
  if (in.optional_field(node, "generics") != nullptr) out.generics = in.generics(node);
  out.doc = in.prose(node, "doc");
  return out;
}

void read_version(Reading& in, const Node& document) {
  const Json* version = in.field(document, "version");
  if (version == nullptr || *version == 1) return;
  const Node node(*version, document, "version");
  in.problem(node, version->is_number_integer()
                       ? "version " + version->dump() + " of plans is not known, only version 1"
                       : "must be 1");
}

/// The document with what JSON libraries forget: the order of its blocks.
struct Document {
  Json json;
  std::vector<std::string> block_order;
};

/// Throws Json::exception for text that is not JSON.
Document parse(std::string_view text) {
  Document out;
  bool in_blocks = false;
  std::set<std::string> seen;
  const auto note_blocks = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event != Json::parse_event_t::key) return true;
    if (depth == 1) in_blocks = parsed == "blocks";
    if (depth == 2 && in_blocks) {
      std::string name = parsed.get<std::string>();
      if (seen.insert(name).second) out.block_order.push_back(std::move(name));
    }
    return true;
  };
  out.json = Json::parse(text.begin(), text.end(), note_blocks);
  return out;
}

void read_blocks(Reading& in, const Node& document, const std::vector<std::string>& order,
                 Program& out) {
  const Json* blocks = in.field(document, "blocks");
  if (blocks == nullptr) return;
  const Node node(*blocks, document, "blocks");
  if (!blocks->is_object()) {
    in.problem(node, "must be an object");
    return;
  }
  for (const std::string& name : order) {
    const auto found = blocks->find(name);
    if (found == blocks->end()) continue;
    if (in.full()) return;
    out.blocks.emplace_back(name, read_block(in, Node(*found, node, name), name));
  }
}

Program read_program(Reading& in, const Node& document, const std::vector<std::string>& order) {
  Program out;
  out.module = in.module_path(document, "module");
  if (const Json* root = in.optional_field(document, "root")) {
    const Node node(*root, document, "root");
    out.root.emplace();
    out.root->name = in.identifier(node, "name");
    out.root->generics = in.generics(node);
    out.root->constraints = in.constraints(node);
  }
  out.manifest = in.list(document, "manifest",
                         [&](const Node& entry) { return read_manifest_entry(in, entry); });
  read_blocks(in, document, order, out);
  out.functions = in.list(document, "functions",
                          [&](const Node& function) { return read_function(in, function); });
  out.constants = in.list(document, "constants",
                          [&](const Node& constant) { return read_constant(in, constant); });
  if (in.optional_field(document, "structs") != nullptr) {
    out.structures = in.list(document, "structs",
                             [&](const Node& structure) { return read_structure(in, structure); });
  }
  if (in.optional_field(document, "enums") != nullptr) {
    out.enumerations = in.list(document, "enums", [&](const Node& enumeration) {
      return read_enumeration(in, enumeration);
    });
  }
  out.doc = in.prose(document, "doc");
  return out;
}

}  // namespace

std::optional<Program> read(std::string_view text, std::vector<Problem>& problems) {
  Document parsed;
  try {
    parsed = parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    std::string message = error.what();
    if (const std::size_t end = message.find("] "); end != std::string::npos) {
      message.erase(0, end + 2);
    }
    problems.push_back({"the document", "is not JSON: " + message});
    return std::nullopt;
  }
  const std::size_t before = problems.size();
  std::vector<Problem> found;
  Reading in(found);
  const Node document(parsed.json);
  if (!parsed.json.is_object()) {
    in.problem(document, "must be a JSON object");
  } else {
    read_version(in, document);
  }
  std::optional<Program> program;
  if (found.empty()) program = read_program(in, document, parsed.block_order);
  if (found.empty()) {
    detail::complete_calls(*program);
    found = verify(*program);
  }
  if (found.empty()) {
    // What cannot be declared is a problem only of who needs to know it.
    std::vector<Problem> undeclared;
    if (detail::declare_missing(*program, undeclared)) found = verify(*program);
  }
  problems.insert(problems.end(), found.begin(), found.end());
  if (problems.size() != before) return std::nullopt;
  return program;
}

}  // namespace linnet::plan
