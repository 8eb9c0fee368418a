#pragma once
// The state of one verification. Private to codegen/ir/verify: each file of this folder checks
// one kind of declaration or one group of ops.

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/ir/verify/witnesses.hpp"

namespace linnet::ir::detail {

/// What a region's last op must be.
enum class Terminator : std::uint8_t { yield, return_, either };

class Verifier {
 public:
  Verifier(const Program& program, std::size_t limit)
      : program_(program), lookup_(program), limit_(limit) {}

  std::vector<Problem> run();

 private:
  /// Appends to the path for as long as it lives.
  class At {
   public:
    At(Verifier& verifier, const std::string& piece)
        : path_(verifier.path_), length_(path_.size()) {
      if (!path_.empty() && piece.front() != '[') path_ += '.';
      path_ += piece;
    }
    ~At() { path_.resize(length_); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    std::string& path_;
    std::size_t length_;
  };
  static std::string element(std::string_view list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
  }

  bool problem(std::string message);  ///< always false
  [[nodiscard]] bool full() const { return problems_.size() >= limit_; }

  // Declarations (document.cpp, functions.cpp, manifest.cpp, circles.cpp, states.cpp).
  void declarations();
  void declare_generics(const std::vector<Generic>& generics);
  /// A scope without values: the symbols of some generic lists, under some constraints.
  void enter(const std::vector<const std::vector<Generic>*>& generics,
             const std::vector<Constraint>& constraints);
  void check_generics(const std::vector<Generic>& generics);
  void check_constraints(const std::vector<Constraint>& constraints);
  void check_block(const Block& block);
  void check_structure(const Structure& structure);
  void check_constant(const Constant& constant);
  bool enter_function(const Function& function);
  void check_function(const Function& function);
  void check_defaults(const Function& function);
  void check_grad(const Function& function);
  void check_kernel(const Function& function);
  void check_bound_kernel(const Function& op, const KernelBinding& binding);
  void check_root();
  void check_manifest(const Block& root);
  void check_entry(const ManifestEntry& entry, const ManifestEntry& expected, bool in_optional);
  void check_circles();
  void check_states();

  // Types (types.cpp).
  void check_dim(const Dim& dim);
  void check_shape(const ShapeUnits& shape);
  void check_dtype(const Dtype& dtype);
  void check_type(const Type& type);
  void check_argument(const GenericArgument& argument);
  void check_arguments(const std::vector<Generic>& generics,
                       const std::vector<GenericArgument>& arguments);
  void check_block_type(const Type& type);
  /// Whether `constraints` of what `name` declares may hold where its symbols are bound so.
  void check_bound(const std::vector<Constraint>& constraints, const Substitution& with,
                   const std::string& name);

  // Equal as far as can be told: kinds, names, dtypes, ranks and packs, and extents that no
  // witness shows different (types.cpp).
  [[nodiscard]] bool agree(const Unit& a, const Unit& b);
  [[nodiscard]] bool agree(const ShapeUnits& a, const ShapeUnits& b);
  [[nodiscard]] bool agree(const GenericArgument& a, const GenericArgument& b);
  [[nodiscard]] bool agree(const Type& a, const Type& b);
  [[nodiscard]] bool may_be_one(const Unit& unit);
  /// Whether a value of shape `from` may be read as one of shape `to`: each trailing axis equal
  /// or 1.
  [[nodiscard]] bool broadcasts(const ShapeUnits& from, const ShapeUnits& to);

  // Values and regions (regions.cpp).
  using Types = std::vector<Type>;
  void define(const Value& value);
  /// The types of what the region gives; `expected` of null types, or none at all, fit anything.
  Types check_region(const Region& region, Terminator terminator,
                     const std::optional<Types>& expected);
  void check_region_args(const Region& region, const Types& expected);
  void check_op(const Op& op);
  void check_op_kind(const Op& op, const Types& types);
  bool counts(const Op& op, std::size_t operands, std::size_t results, std::size_t regions);
  bool same_dtype(const Op& op, const Types& types, std::size_t first);
  void check_result(const Op& op, const Type& expected);

  // Ops; `types` are the operands' types.
  void check_constant_op(const Op& op);  // elementwise.cpp
  void check_elementwise(const Op& op, const Types& types);
  void check_elementwise_dtypes(const Op& op, const Types& types);
  void check_broadcasting(const Op& op, const Types& types);
  void check_view(const Op& op, const Types& types);  // views.cpp
  void check_shaped(const Op& op, const Types& types);
  void check_permute(const Op& op, const Types& types);
  void check_joined(const Op& op, const Types& types);
  void check_slice(const Op& op, const Types& types);  // slices.cpp
  void check_whole(const SliceAxis& axis, const Type& sliced, std::size_t first);
  std::optional<Unit> check_cut(const SliceAxis& axis, const Type& sliced, std::size_t position);
  void check_element(const Op& op, const Types& types);  // indices.cpp
  void check_index_notation(const Op& op, const Types& types);
  void check_aggregate(const Op& op, const Types& types);  // aggregates.cpp
  void check_struct_make(const Op& op, const Types& types);
  void check_get(const Op& op, const Types& types);
  void check_branch(const Op& op, const Types& types);  // control.cpp
  void check_variants(const Op& op, const Type& type);
  void check_loop(const Op& op, const Types& types);
  void check_stacked(const Op& op, const Types& yielded);
  void check_call(const Op& op, const Types& types);  // calls.cpp
  bool check_substitution(const Op& op, const Function& callee);
  void check_member(const Op& op, const Types& types);
  void check_array_get(const Op& op, const Types& types);
  void check_kernel_op(const Op& op, const Types& types);  // kernels.cpp
  void check_kernel_access(const Op& op, const Types& types);

  const Program& program_;
  Lookup lookup_;
  std::size_t limit_;
  std::vector<Problem> problems_;
  std::string path_;

  std::map<int, GenericKind> declared_symbols_;
  std::unordered_set<int> declared_dtypes_;
  std::map<int, GenericKind> symbols_;  ///< in scope
  std::map<int, DtypeClass> dtypes_;    ///< in scope
  Witnesses witnesses_;                 ///< of the scope

  std::unordered_set<int> defined_;              ///< every id of the document so far
  std::unordered_map<int, Type> visible_;        ///< ids in scope
  std::vector<int> scope_;                       ///< visible ids in order of definition
  std::unordered_map<int, ShapeUnits> domains_;  ///< of indices
  std::unordered_map<int, Dim> numbers_;         ///< integers known when the plan is read
  const Function* function_ = nullptr;
};

// Small questions about types (types.cpp).
[[nodiscard]] bool is_scalar_of(const Type& type, Scalar scalar);
[[nodiscard]] bool is_integer_scalar(const Type& type);
/// A tensor or scalar.
[[nodiscard]] bool is_data(const Type& type);
/// The shape of a tensor; that of anything else is empty.
[[nodiscard]] const ShapeUnits& shape_of(const Type& type);
[[nodiscard]] std::size_t rank(const Type& type);
/// A tensor, or a scalar for no axes.
[[nodiscard]] Type make_data(ShapeUnits shape, const Dtype& dtype);

/// What a dtype may be; variables answer by their class.
struct DtypeTraits {
  bool boolean = false, integer = false, floating = false;
};
[[nodiscard]] DtypeTraits traits(const Dtype& dtype, const std::map<int, DtypeClass>& variables);

/// `` `reshape` ``
[[nodiscard]] std::string spelled(const Op& op);
/// `` `Tensor[2; f32]` and `f32` ``
[[nodiscard]] std::string listed(const std::vector<Type>& types);

}  // namespace linnet::ir::detail
