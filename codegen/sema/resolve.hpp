#pragma once
// Source dimensions, shapes, dtypes and types as ir nodes (language.md sections 3 and 4).
//
// Every function reports what is wrong and then returns nothing, or the poison type.

#include <optional>
#include <string>
#include <vector>

#include "codegen/sema/context.hpp"

namespace linnet::sema {

/// What a local name is to a dimension.
struct LocalMeaning {
  ir::Dim dim;          ///< a compile-time `let`
  bool failed = false;  ///< already reported
  std::string what;     ///< otherwise: "an `i64` value", "an index"
};

/// Locals of a body, for dimensions written inside it.
class LocalNames {
 public:
  virtual ~LocalNames() = default;
  /// Nothing when no local has the name.
  virtual std::optional<LocalMeaning> meaning(const std::string& name) = 0;
  virtual std::vector<std::string> names() const = 0;
};

/// Where a type stands: blocks and arrays of them are types of `sub` members only.
enum class TypePlace : std::uint8_t { value, any };

class Resolver {
 public:
  Resolver(Context& context, Scope scope, LocalNames* locals = nullptr)
      : context_(context), scope_(scope), locals_(locals) {}

  /// A compile-time integer, which may be negative.
  [[nodiscard]] std::optional<ir::Dim> dimension(const syntax::Expr& expr);
  /// A dimension as an extent: provably negative is E2208.
  [[nodiscard]] std::optional<ir::Dim> extent(const syntax::Expr& expr);
  [[nodiscard]] std::optional<ir::ShapeUnits> shape(
      const std::vector<syntax::ShapeElement>& elements);

  [[nodiscard]] ir::Type type(const syntax::Type& type, TypePlace place = TypePlace::value);
  /// A name that must be a dtype.
  [[nodiscard]] std::optional<ir::Dtype> dtype(const syntax::Name& name);

  /// One written generic argument; of another kind than the generic is E2111, or the code given.
  [[nodiscard]] std::optional<ir::GenericArgument> argument(const syntax::GenericArg& written,
                                                            const ir::Generic& generic,
                                                            const char* wrong_kind = "E2111");
  /// E2112 when a dtype is outside the generic's class.
  [[nodiscard]] bool check_class(const ir::Generic& generic, const ir::GenericArgument& argument,
                                 Span span);
  /// E2208 when a dimension in a type, its fields or its members is provably negative.
  [[nodiscard]] bool check_extents(const ir::Type& type, Span span);
  [[nodiscard]] bool check_extents(const ir::Generic& generic, const ir::GenericArgument& argument,
                                   Span span);
  /// All arguments of a type: written, then defaults; E2111 for too many and for missing ones.
  [[nodiscard]] std::optional<std::vector<ir::GenericArgument>> type_arguments(
      const syntax::GenericArgs* written, const std::vector<ir::Generic>& generics,
      const std::string& what, Span span);
  /// E2206 at `span` for the first relation that cannot be proven.
  [[nodiscard]] bool prove_where(const std::vector<ir::Constraint>& constraints,
                                 const ir::Substitution& substitution, const std::string& what,
                                 Span span);

  /// `a op b` of compile-time integers, with E2205 for the divisor and E2105 for overflow.
  [[nodiscard]] std::optional<ir::Dim> combine(syntax::BinaryOp op, const ir::Dim& a,
                                               const ir::Dim& b, Span divisor, Span whole);
  /// E2105 for an expression beyond the solver's limits.
  [[nodiscard]] std::optional<ir::Dim> limited(ir::Dim dim, Span span);
  [[nodiscard]] std::optional<ir::Dim> literal(const syntax::IntegerLiteral& literal,
                                               bool negated = false);

  /// The item that `name` or `module.name` stands for. Null when it is no such thing; nothing is
  /// reported then.
  [[nodiscard]] const Symbol* item(const syntax::Path& path);

 private:
  std::optional<ir::Dim> named_dimension(const syntax::Name& name);
  std::optional<ir::Dim> member_dimension(const syntax::Member& member);
  std::optional<ir::Dim> constant_dimension(const Symbol& symbol, const syntax::Name& name);
  std::optional<ir::Dim> binary_dimension(const syntax::Binary& expr);
  std::optional<ir::Dim> min_or_max(const syntax::Call& call);
  void report_negative(const ir::Dim& dim, Span span, const std::string& label);
  std::optional<ir::Dim> not_compile_time(Span span, const std::string& what);

  ir::Type path_type(const syntax::PathType& type);
  ir::Type declared_type(const Symbol& symbol, const syntax::PathType& type);
  ir::Type block_type(int id, const syntax::PathType& type);
  ir::Type tensor(const syntax::TensorType& type);
  ir::Type array(const syntax::ArrayType& type);
  bool refuse_block(const ir::Type& type, Span span);

  std::optional<ir::GenericArgument> dim_argument(const syntax::GenericArg& written,
                                                  const ir::Generic& generic, const char* code);
  std::optional<ir::GenericArgument> shape_argument(const syntax::GenericArg& written,
                                                    const ir::Generic& generic, const char* code);
  std::optional<ir::GenericArgument> dtype_argument(const syntax::GenericArg& written,
                                                    const ir::Generic& generic, const char* code);
  void report_kind(const syntax::GenericArg& written, const ir::Generic& generic, const char* code,
                   const std::string& got);

  [[nodiscard]] const dims::Facts& facts() const;

  Context& context_;
  Scope scope_;
  LocalNames* locals_;
  int depth_ = 0;
};

// Settling headers at the first need (headers.cpp).

/// Generics' defaults and `where` of a block; false when they failed.
bool settle_block(Context& context, BlockId id);
void settle_members(Context& context, BlockId id);
/// Signature of a function, method, op, entry or kernel; false when it failed.
bool settle_function(Context& context, FunctionId id);
void settle_struct(Context& context, StructId id);
void settle_enum(Context& context, EnumId id);
void settle_fields(Context& context, StructId id);
/// False when the alias failed or is being defined (E2122 then).
bool settle_alias(Context& context, int id, Span use);
/// False when the constant failed or is being defined (constants.cpp).
bool settle_constant(Context& context, ConstantId id, Span use);

/// The scope of a declaration. `facts` must outlive it.
[[nodiscard]] Scope block_scope(Context& context, BlockId id, const dims::Facts& facts);
[[nodiscard]] Scope function_scope(Context& context, FunctionId id, const dims::Facts& facts);
/// What `where` of the function and of its block states.
void add_facts(Context& context, FunctionId id, dims::Facts& facts);

[[nodiscard]] ir::Type own_block_type(Context& context, BlockId id);
/// What a type's arguments make of its declaration's generics.
[[nodiscard]] ir::Substitution substitution_of(const std::vector<ir::Generic>& generics,
                                               const std::vector<ir::GenericArgument>& arguments);

}  // namespace linnet::sema
