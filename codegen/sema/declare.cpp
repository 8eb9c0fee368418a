// The first pass: what every module declares and imports, and a number for every generic.
//
// Kinds of generics are written, so this pass needs no name to be resolved; it also reports two
// names where one may stand (E1204, E1205), prelude names (E1207) and what is wrong with imports
// (E1201, E1203).

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "codegen/sema/context.hpp"
#include "codegen/sema/suggest.hpp"

namespace linnet::sema {
namespace {

using syntax::ItemKind;

ir::DtypeClass class_of(syntax::GenericParamKind kind) {
  switch (kind) {
    case syntax::GenericParamKind::numeric:
      return ir::DtypeClass::numeric;
    case syntax::GenericParamKind::integer:
      return ir::DtypeClass::integer;
    case syntax::GenericParamKind::floating:
      return ir::DtypeClass::floating;
    default:
      return ir::DtypeClass::any;
  }
}

bool any_twice(const GenericBindings& bindings) {
  return std::any_of(bindings.begin(), bindings.end(),
                     [](const GenericBinding& binding) { return binding.twice; });
}

class Declarer {
 public:
  explicit Declarer(Context& context) : context_(context) {}

  void run() {
    const std::size_t count = context_.graph.modules.size();
    context_.modules.resize(count);
    for (std::size_t i = 0; i < count; ++i) declare_module(static_cast<int>(i));
    for (std::size_t i = 0; i < count; ++i) declare_imports(static_cast<int>(i));
  }

 private:
  const syntax::Module* ast_of(int module) {
    return context_.graph.modules[static_cast<std::size_t>(module)].ast.get();
  }

  void declare_module(int module) {
    const LoadedModule& loaded = context_.graph.modules[static_cast<std::size_t>(module)];
    context_.program.modules.push_back(
        {loaded.name, loaded.file, loaded.ast != nullptr ? loaded.ast->doc : std::string()});
    if (loaded.ast == nullptr) return;
    module_ = module;
    for (const syntax::ItemPtr& item : loaded.ast->items) declare_item(*item);
  }

  // --- items -------------------------------------------------------------------------------

  void declare_item(const syntax::Item& item) {
    Symbol symbol;
    symbol.span = item.name.span;
    switch (item.kind) {
      case ItemKind::constant:
        symbol.kind = SymbolKind::constant;
        symbol.index = add_constant(syntax::as<syntax::Const>(item));
        break;
      case ItemKind::alias:
        symbol.kind = SymbolKind::alias;
        symbol.index = add_alias(syntax::as<syntax::Alias>(item));
        break;
      case ItemKind::structure:
        symbol.kind = SymbolKind::structure;
        symbol.index = add_struct(syntax::as<syntax::Struct>(item));
        break;
      case ItemKind::enumeration:
        symbol.kind = SymbolKind::enumeration;
        symbol.index = add_enum(syntax::as<syntax::Enum>(item));
        break;
      case ItemKind::function:
        symbol.kind = SymbolKind::function;
        symbol.index = add_function(syntax::as<syntax::Function>(item), -1);
        break;
      case ItemKind::kernel:
        symbol.kind = SymbolKind::kernel;
        symbol.index = add_kernel(syntax::as<syntax::Kernel>(item));
        break;
      case ItemKind::block:
        symbol.kind = SymbolKind::block;
        symbol.index = add_block(syntax::as<syntax::Block>(item));
        break;
    }
    if (refuse_prelude_name(context_, item.name)) return;
    ModuleScope& scope = context_.module_scope(module_);
    const auto [at, fresh] = scope.symbols.emplace(item.name.text, symbol);
    if (!fresh) {
      report_twice("E1204", item.name, at->second.span, "two items are named");
      return;
    }
    scope.is_public[item.name.text] = item.is_public;
  }

  void report_twice(const char* code, const syntax::Name& second, Span first,
                    const std::string& what) {
    context_.error(code, second.span, what + " `" + second.text + "`")
        .with_label("declared again")
        .with_related("first declared here", first)
        .with_help(code == std::string_view("E1204")
                       ? "rename one of the two; there is no overloading"
                       : "rename one of the two");
  }

  /// Reports the second of two equal names in one list.
  class Unique {
   public:
    Unique(Declarer& declarer, std::string what) : declarer_(declarer), what_(std::move(what)) {}
    bool add(const syntax::Name& name) {
      const auto [at, fresh] = seen_.emplace(name.text, name.span);
      if (!fresh) declarer_.report_twice("E1205", name, at->second, what_);
      return fresh;
    }

   private:
    Declarer& declarer_;
    std::string what_;
    std::unordered_map<std::string, Span> seen_;
  };

  /// `outer` are the generics of a method's block, which are in scope as well.
  std::vector<ir::Generic> number(const syntax::Generics& generics, GenericBindings& bindings,
                                  const GenericBindings& outer = {}) {
    Unique unique(*this, "two generics are named");
    for (const GenericBinding& binding : outer) {
      if (!binding.twice && !binding.name.empty()) (void)unique.add({binding.name, binding.span});
    }
    std::vector<ir::Generic> made;
    for (const syntax::GenericParam& param : generics.params) {
      const bool twice = !refuse_prelude_name(context_, param.name) && !unique.add(param.name);
      ir::Generic generic;
      generic.name = param.name.text;
      generic.dtype_class = class_of(param.kind);
      if (param.kind == syntax::GenericParamKind::dim) {
        generic.kind = ir::GenericKind::dim;
        generic.id = context_.next_symbol++;
      } else if (param.kind == syntax::GenericParamKind::shape) {
        generic.kind = ir::GenericKind::shape;
        generic.id = context_.next_symbol++;
      } else {
        generic.kind = ir::GenericKind::dtype;
        generic.id = context_.next_variable++;
        context_.classes.set(generic.id, generic.dtype_class);
      }
      // `f32` as a generic is refused, and goes on to mean the dtype.
      const std::string visible = scalar_named(generic.name) ? std::string() : generic.name;
      bindings.push_back({visible, generic.kind, identity(generic), param.name.span, twice});
      for (GenericBinding& other : bindings)
        other.twice = other.twice || (twice && other.name == visible);
      made.push_back(std::move(generic));
    }
    return made;
  }

  int add_constant(const syntax::Const& item) {
    Constant constant;
    constant.full_name = context_.module_name(module_) + "::" + item.name.text;
    constant.module = module_;
    constant.is_public = item.is_public;
    constant.type = poison_type();
    constant.span = item.name.span;
    context_.program.constants.push_back(std::move(constant));
    ConstantInfo info;
    info.constant = &item;
    context_.constants.push_back(std::move(info));
    return static_cast<int>(context_.constants.size()) - 1;
  }

  int add_alias(const syntax::Alias& item) {
    AliasInfo info;
    info.alias = &item;
    info.module = module_;
    info.type = poison_type();
    info.generics = number(item.generics, info.bindings);
    context_.aliases.push_back(std::move(info));
    return static_cast<int>(context_.aliases.size()) - 1;
  }

  int add_struct(const syntax::Struct& item) {
    StructInfo info;
    info.structure = &item;
    info.module = module_;
    ir::Structure structure;
    structure.name = item.name.text;
    structure.module = context_.module_name(module_);
    structure.doc = item.doc;
    structure.generics = number(item.generics, info.bindings);
    Unique unique(*this, "two fields are named");
    for (const syntax::StructField& field : item.fields) {
      if (!refuse_prelude_name(context_, field.name)) (void)unique.add(field.name);
      structure.fields.emplace_back(field.name.text, poison_type());
    }
    const int id = static_cast<int>(context_.structs.size());
    context_.remember_type(structure.module, structure.name, id);
    context_.program.structs.push_back(std::move(structure));
    context_.structs.push_back(std::move(info));
    return id;
  }

  int add_enum(const syntax::Enum& item) {
    EnumInfo info;
    info.enumeration = &item;
    info.module = module_;
    ir::Enumeration enumeration;
    enumeration.name = item.name.text;
    enumeration.module = context_.module_name(module_);
    enumeration.doc = item.doc;
    enumeration.generics = number(item.generics, info.bindings);
    Unique unique(*this, "two variants are named");
    for (const syntax::EnumVariant& variant : item.variants) {
      if (unique.add(variant.name)) enumeration.variants.push_back(variant.name.text);
    }
    const int id = static_cast<int>(context_.enums.size());
    context_.remember_type(enumeration.module, enumeration.name, id);
    context_.program.enums.push_back(std::move(enumeration));
    context_.enums.push_back(std::move(info));
    return id;
  }

  int add_function(const syntax::Function& item, BlockId block) {
    FunctionInfo info;
    info.function = &item;
    Function function = make_function(item, block);
    switch (item.function_kind) {
      case syntax::FunctionKind::fn:
        function.kind = ir::FunctionKind::fn;
        break;
      case syntax::FunctionKind::op:
        function.kind = ir::FunctionKind::op;
        break;
      case syntax::FunctionKind::entry:
        function.kind = ir::FunctionKind::entry;
        break;
    }
    function.generics =
        block < 0 ? number(item.generics, info.bindings)
                  : number(item.generics, info.bindings, context_.block_info(block).bindings);
    info.failed = any_twice(info.bindings);
    Unique unique(*this, "two parameters are named");
    for (const syntax::Param& param : item.params) {
      if (!refuse_prelude_name(context_, param.name)) (void)unique.add(param.name);
    }
    return push(std::move(function), std::move(info));
  }

  int add_kernel(const syntax::Kernel& item) {
    FunctionInfo info;
    info.kernel = &item;
    Function function = make_function(item, -1);
    function.kind = ir::FunctionKind::kernel;
    function.generics = number(item.generics, info.bindings);
    info.failed = any_twice(info.bindings);
    Unique unique(*this, "two parameters or results are named");
    for (const syntax::Param& param : item.params) {
      if (!refuse_prelude_name(context_, param.name)) (void)unique.add(param.name);
    }
    for (const syntax::KernelResult& result : item.results) {
      if (!refuse_prelude_name(context_, result.name)) (void)unique.add(result.name);
    }
    return push(std::move(function), std::move(info));
  }

  Function make_function(const syntax::Item& item, BlockId block) {
    Function function;
    function.name = item.name.text;
    function.full_name = context_.module_name(module_) + "::";
    if (block >= 0) function.full_name += context_.block(block).declaration.name + ".";
    function.full_name += item.name.text;
    function.module = module_;
    function.block = block;
    function.is_public = item.is_public;
    function.result = poison_type();
    function.doc = item.doc;
    function.span = item.name.span;
    return function;
  }

  FunctionId push(Function function, FunctionInfo info) {
    context_.program.functions.push_back(std::move(function));
    context_.functions.push_back(std::move(info));
    return static_cast<FunctionId>(context_.functions.size()) - 1;
  }

  int add_block(const syntax::Block& item) {
    const int id = static_cast<int>(context_.blocks.size());
    BlockInfo info;
    info.block = &item;
    Block block;
    block.module = module_;
    block.span = item.name.span;
    ir::Block& declaration = block.declaration;
    declaration.name = item.name.text;
    declaration.module = context_.module_name(module_);
    declaration.is_public = item.is_public;
    declaration.doc = item.doc;
    declaration.generics = number(item.generics, info.bindings);
    info.failed = any_twice(info.bindings);
    context_.remember_type(declaration.module, declaration.name, id);
    context_.program.blocks.push_back(std::move(block));
    context_.blocks.push_back(std::move(info));
    declare_contents(item, id);
    return id;
  }

  /// Members and methods in the order written: the second of two equal names is at fault.
  void declare_contents(const syntax::Block& item, BlockId id) {
    Unique unique(*this, "two members or methods are named");
    std::size_t next_member = 0;
    std::size_t next_item = 0;
    for (const bool is_member : item.order) {
      if (is_member) {
        declare_member(item.members[next_member++], id, unique);
      } else {
        declare_method(*item.items[next_item++], id, unique);
      }
    }
    context_.block_info(id).member_used.resize(context_.block(id).declaration.members.size());
  }

  void declare_member(const syntax::BlockMember& member, BlockId id, Unique& unique) {
    ir::Member made;
    made.name = member.name.text;
    made.type = poison_type();
    made.doc = member.doc;
    switch (member.kind) {
      case syntax::MemberKind::param:
        made.kind = ir::MemberKind::param;
        break;
      case syntax::MemberKind::buffer:
        made.kind = ir::MemberKind::buffer;
        break;
      case syntax::MemberKind::state:
        made.kind = ir::MemberKind::state;
        break;
      case syntax::MemberKind::sub:
        made.kind = ir::MemberKind::sub;
        break;
    }
    std::vector<ir::Member>& members = context_.block(id).declaration.members;
    if (!refuse_prelude_name(context_, member.name) && unique.add(member.name)) {
      context_.block_info(id).member_index.emplace(member.name.text,
                                                   static_cast<int>(members.size()));
    }
    members.push_back(std::move(made));
  }

  void declare_method(const syntax::Item& item, BlockId id, Unique& unique) {
    if (item.kind != ItemKind::function) {
      context_.block_info(id).refused_items.insert(item.name.text);
      context_.error("E2190", item.name.span, "only functions are declared inside a block")
          .with_label("not supported here")
          .with_help("move it out of the block");
      return;
    }
    const FunctionId method = add_function(syntax::as<syntax::Function>(item), id);
    context_.block(id).methods.push_back(method);
    if (!refuse_prelude_name(context_, item.name) && unique.add(item.name)) {
      context_.block_info(id).method_index.emplace(item.name.text, method);
    }
  }

  // --- imports -----------------------------------------------------------------------------

  void declare_imports(int module) {
    const syntax::Module* ast = ast_of(module);
    if (ast == nullptr) return;
    module_ = module;
    const std::vector<int>& targets =
        context_.graph.modules[static_cast<std::size_t>(module)].use_targets;
    for (std::size_t i = 0; i < ast->uses.size(); ++i) {
      const syntax::Use& use = ast->uses[i];
      const int target = targets[i];
      if (use.whole_module) {
        Symbol symbol{target < 0 ? SymbolKind::failed : SymbolKind::module, target, {}, -1};
        bring_in(use.path.segments.back(), symbol);
        continue;
      }
      for (const syntax::Import& import : use.imports) {
        bring_in(import.local(), imported(import, target));
      }
    }
  }

  /// The item that an import names; a failed symbol when it is not there (after a report).
  Symbol imported(const syntax::Import& import, int target) {
    if (target < 0 || ast_of(target) == nullptr) return {};
    const ModuleScope& from = context_.module_scope(target);
    const std::string& module = context_.module_name(target);
    const auto visibility = from.is_public.find(import.name.text);
    if (visibility == from.is_public.end()) {
      syntax::Diagnostic& report =
          context_.error("E1201", import.name.span,
                         "module `" + module + "` has no item `" + import.name.text + "`");
      report.with_label("not declared there");
      std::vector<std::string> names;
      for (const auto& [name, is_public] : from.is_public) {
        if (is_public) names.push_back(name);
      }
      std::sort(names.begin(), names.end());
      const std::string near = closest(import.name.text, names);
      report.with_help(near.empty() ? "import an item that the module declares `pub`"
                                    : "did you mean `" + near + "`?");
      return {};
    }
    const Symbol& symbol = from.symbols.at(import.name.text);
    if (!visibility->second) {
      context_
          .error("E1203", import.name.span,
                 "`" + import.name.text + "` is private to module `" + module + "`")
          .with_label("private item")
          .with_related("declared here without `pub`", symbol.span)
          .with_help("declare it `pub` to import it");
      return {};
    }
    return symbol;
  }

  void bring_in(const syntax::Name& name, Symbol symbol) {
    if (refuse_prelude_name(context_, name)) return;
    ModuleScope& scope = context_.module_scope(module_);
    symbol.import = static_cast<int>(scope.imports.size());
    const auto found = scope.symbols.find(name.text);
    // A name that failed to be imported is reported already.
    if (found != scope.symbols.end() && symbol.kind == SymbolKind::failed) return;
    if (found != scope.symbols.end() && found->second.kind == SymbolKind::failed) return;
    if (found != scope.symbols.end()) {
      // Items stand after imports, so of an import and an item the item is the second.
      const bool other_is_import = found->second.import >= 0;
      const Span first = other_is_import ? found->second.span : name.span;
      const Span second = other_is_import ? name.span : found->second.span;
      context_.error("E1204", second, "two items are named `" + name.text + "`")
          .with_label("clashes with an imported name")
          .with_related("imported here", first)
          .with_help("rename the import: `" + name.text + " as other_" + name.text + "`");
      return;
    }
    const bool failed = symbol.kind == SymbolKind::failed;
    symbol.span = name.span;
    scope.imports.push_back({name.text, name.span, false, failed});
    scope.symbols.emplace(name.text, symbol);
  }

  Context& context_;
  int module_ = 0;
};

}  // namespace

void declare_all(Context& context) {
  Declarer(context).run();
}

}  // namespace linnet::sema
