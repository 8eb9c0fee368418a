#pragma once
// What the checker knows about every declaration while it works: the tables behind
// CheckedProgram, filled in this order:
//
//   declare   every module's names, duplicates, numbers of all generics   (declare.cpp)
//   headers   generics' defaults, `where`, signatures, members, fields     (headers.cpp)
//   bodies    functions, grads, kernels, constants                         (body.hpp)
//   program   cycles, then warnings                                        (cycles.cpp, lints.cpp)
//
// Headers and constants are settled at the first need, so that items may stand in any order; a
// `State` tells where each is, which also finds cyclic definitions.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "codegen/ir/types.hpp"
#include "codegen/sema/checked.hpp"
#include "codegen/sema/dims/solver.hpp"
#include "codegen/sema/modules.hpp"
#include "codegen/sema/standard_names.hpp"
#include "codegen/sema/types.hpp"
#include "codegen/syntax/ast.hpp"
#include "codegen/syntax/diagnostics.hpp"

namespace linnet::sema {

enum class State : std::uint8_t { fresh, open, done };

/// A generic parameter in scope. `value` is its own symbol, pack or variable inside its
/// declaration, and what a call bound it to while that call's defaults are filled in.
struct GenericBinding {
  std::string name;
  ir::GenericKind kind = ir::GenericKind::dim;
  ir::GenericArgument value;
  Span span;
  bool twice = false;  ///< another one has its name: what it means is not said again
};
using GenericBindings = std::vector<GenericBinding>;

enum class SymbolKind : std::uint8_t {
  function,
  kernel,
  structure,
  enumeration,
  alias,
  constant,
  block,
  module,
  failed
};

/// What a name of a module's scope stands for.
struct Symbol {
  SymbolKind kind = SymbolKind::failed;
  int index = -1;   ///< in the table of its kind; for `module` the module
  Span span;        ///< of the name
  int import = -1;  ///< position in `ModuleScope::imports`, or -1 for an own item
};

struct ImportUse {
  std::string name;
  Span span;
  bool used = false;
  bool failed = false;
};

struct ModuleScope {
  std::unordered_map<std::string, Symbol> symbols;
  std::unordered_map<std::string, bool> is_public;  ///< own items only
  std::vector<ImportUse> imports;
};

/// A call or a read of a constant, for the search for cycles.
struct Reference {
  bool to_constant = false;
  int target = -1;
  Span span;
};

struct FunctionInfo {
  const syntax::Function* function = nullptr;
  const syntax::Kernel* kernel = nullptr;
  State header = State::fresh;
  bool failed = false;  ///< the signature: uses are not reported again
  GenericBindings bindings;
  std::vector<Reference> references;  ///< of the body and the defaults, in source order
  std::vector<ir::Dim> tiles;         ///< kernels: extents that must be powers of two
};

struct BlockInfo {
  const syntax::Block* block = nullptr;
  State header = State::fresh;  ///< generics and `where`
  State members = State::fresh;
  bool failed = false;  ///< the header
  GenericBindings bindings;
  std::unordered_map<std::string, int> member_index;
  std::unordered_map<std::string, FunctionId> method_index;
  std::set<std::string> refused_items;  ///< E2190: their uses are not reported again
  std::vector<bool> member_used;
};

struct StructInfo {
  const syntax::Struct* structure = nullptr;
  int module = 0;
  State header = State::fresh;  ///< generics' defaults
  State fields = State::fresh;
  GenericBindings bindings;
};

struct EnumInfo {
  const syntax::Enum* enumeration = nullptr;
  int module = 0;
  State header = State::fresh;  ///< generics' defaults
  GenericBindings bindings;
};

struct AliasInfo {
  const syntax::Alias* alias = nullptr;
  int module = 0;
  State state = State::fresh;
  GenericBindings bindings;
  std::vector<ir::Generic> generics;
  ir::Type type;
};

struct ConstantInfo {
  const syntax::Const* constant = nullptr;
  State state = State::fresh;
  bool failed = false;
  std::vector<Reference> references;
};

/// Where names are looked up: the generics, block and module that enclose a place.
struct Scope {
  int module = 0;
  BlockId block = -1;
  const GenericBindings* outer = nullptr;  ///< of the block
  const GenericBindings* own = nullptr;    ///< of the function, block, struct or alias itself
  /// The list of a declaration whose `own` is a list made for the moment.
  const GenericBindings* declaration = nullptr;
  const dims::Facts* facts = nullptr;
  const std::vector<syntax::Param>* parameters = nullptr;  ///< of the signature that encloses it
  bool prove_divisors = true;                              ///< false inside `where`
};

/// The entry of a table that an id names.
template <class Table>
[[nodiscard]] auto& at(Table& table, int id) {
  return table[static_cast<std::size_t>(id)];
}

/// The tables and services that all parts of the checker share.
class Context {
 public:
  Context(ModuleGraph graph, syntax::SourceManager& sources, syntax::DiagnosticSink& sink);

  ModuleGraph graph;
  syntax::SourceManager& sources;
  syntax::DiagnosticSink& sink;
  CheckedProgram program;
  StandardNames standard_names;
  DtypeClasses classes;

  std::vector<ModuleScope> modules;
  std::vector<FunctionInfo> functions;
  std::vector<BlockInfo> blocks;
  std::vector<StructInfo> structs;
  std::vector<EnumInfo> enums;
  std::vector<AliasInfo> aliases;
  std::vector<ConstantInfo> constants;

  /// Reports an error; one code is reported once for one place. (Defaults are checked where they
  /// are declared and again for calls that leave them out.)
  syntax::Diagnostic& error(const char* code, Span span, std::string message) {
    if (!reported_.emplace(code, span.file, span.begin, span.end).second) {
      repeated_ = {};
      return repeated_;
    }
    return sink.error(code, span, std::move(message));
  }

  // Shorthands for the tables.
  [[nodiscard]] Function& function(FunctionId id) { return at(program.functions, id); }
  [[nodiscard]] FunctionInfo& function_info(FunctionId id) { return at(functions, id); }
  [[nodiscard]] Block& block(BlockId id) { return at(program.blocks, id); }
  [[nodiscard]] BlockInfo& block_info(BlockId id) { return at(blocks, id); }
  [[nodiscard]] ir::Structure& structure(StructId id) { return at(program.structs, id); }
  [[nodiscard]] StructInfo& struct_info(StructId id) { return at(structs, id); }
  [[nodiscard]] ir::Enumeration& enumeration(EnumId id) { return at(program.enums, id); }
  [[nodiscard]] EnumInfo& enum_info(EnumId id) { return at(enums, id); }
  [[nodiscard]] AliasInfo& alias(int id) { return at(aliases, id); }
  [[nodiscard]] Constant& constant(ConstantId id) { return at(program.constants, id); }
  [[nodiscard]] ConstantInfo& constant_info(ConstantId id) { return at(constants, id); }
  [[nodiscard]] ModuleScope& module_scope(int id) { return at(modules, id); }
  [[nodiscard]] const std::string& module_name(int id) { return at(graph.modules, id).name; }

  /// The declaration of a block, struct or enum type; -1 for other types.
  [[nodiscard]] int declaration_of(const ir::Type& type) const;
  void remember_type(const std::string& module, const std::string& name, int index);

  /// An own item or import of a module; marks an import as used. Null when there is none.
  const Symbol* find(int module, const std::string& name);
  [[nodiscard]] const GenericBinding* find_generic(const Scope& scope, std::string_view name) const;

  /// The source text of a place when it is short and on one line, else `...`: for help lines.
  [[nodiscard]] std::string short_text(Span span) const;

  /// Whether a thing that is missing is reported for the first time in a declaration: its other
  /// uses are the same mistake.
  [[nodiscard]] bool first_missing(const Scope& scope, const std::string& name);
  /// E1201 for a name that is nowhere, with what the name may have meant; once for each name in
  /// one declaration.
  void report_undeclared(const syntax::Name& name, const Scope& scope, std::string_view what,
                         std::vector<std::string> more_candidates = {});
  /// E1101 for definitions that need each other through more levels than are followed: once.
  void report_too_deep(Span use, std::string help);

  int next_symbol = 0;    ///< dims and packs
  int next_variable = 0;  ///< dtypes

 private:
  std::unordered_map<std::string, int> type_declarations_;
  [[nodiscard]] std::string undeclared_help(const std::string& name, std::string_view what);

  bool too_deep_reported_ = false;
  std::set<std::tuple<const GenericBindings*, int, std::string>> undeclared_;
  std::set<std::tuple<std::string_view, int, std::uint32_t, std::uint32_t>> reported_;
  syntax::Diagnostic repeated_;
};

/// Prelude functions, dtypes, kinds and `Tensor`: never redeclarable.
[[nodiscard]] bool is_prelude_name(std::string_view name);
[[nodiscard]] bool is_prelude_function(std::string_view name);
[[nodiscard]] bool is_reserved_prelude_function(std::string_view name);
/// E1207 when the name belongs to the prelude.
bool refuse_prelude_name(Context& context, const syntax::Name& name);

/// `name of the wrong kind` in words: "a function", "a struct".
[[nodiscard]] std::string_view describe(SymbolKind kind);

/// Names of all modules, duplicates, numbering (declare.cpp).
void declare_all(Context& context);

/// One generic list as a substitution of its own numbers.
void bind(ir::Substitution& substitution, const ir::Generic& generic,
          const ir::GenericArgument& argument);

/// The argument that leaves a generic what it is.
[[nodiscard]] ir::GenericArgument identity(const ir::Generic& generic);

}  // namespace linnet::sema
