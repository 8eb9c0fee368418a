#pragma once
// The state of one verification. Private to codegen/ir: verify.cpp checks declarations,
// verify_ops.cpp one op after the other.

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/ir/ir.hpp"
#include "codegen/ir/lookup.hpp"
#include "codegen/ir/verify.hpp"

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

  // Declarations.
  void declarations();
  void declare_generics(const std::vector<Generic>& generics);
  void enter_generics(const std::vector<Generic>& generics);
  void check_generics(const std::vector<Generic>& generics);
  void check_constraints(const std::vector<Constraint>& constraints);
  void check_block(const Block& block);
  void check_function(const Function& function);
  void check_kernel(const Function& function);
  void check_constant(const Constant& constant);
  void check_manifest();
  void check_recursion();

  // Types.
  void check_dim(const Dim& dim);
  void check_shape(const ShapeUnits& shape);
  void check_dtype(const Dtype& dtype);
  void check_type(const Type& type);
  void check_argument(const GenericArgument& argument);
  void check_arguments(const std::vector<Generic>& generics,
                       const std::vector<GenericArgument>& arguments);

  // Values and regions.
  void define(const Value& value);
  void check_region(const Region& region, Terminator terminator, const std::vector<Type>& expected);
  void check_op(const Op& op);

  // Ops (verify_ops.cpp). `types` are the operands' types.
  using Types = std::vector<Type>;
  bool counts(const Op& op, std::size_t operands, std::size_t results, std::size_t regions);
  bool same_dtype(const Op& op, const Types& types, std::size_t first);
  void check_constant_op(const Op& op);
  void check_elementwise(const Op& op, const Types& types);
  void check_view(const Op& op, const Types& types);
  void check_slice(const Op& op, const Types& types);
  void check_index_notation(const Op& op, const Types& types);
  void check_element(const Op& op, const Types& types);
  void check_aggregate(const Op& op, const Types& types);
  void check_branch(const Op& op, const Types& types);
  void check_call(const Op& op, const Types& types);
  void check_member(const Op& op, const Types& types);
  void check_loop(const Op& op, const Types& types);
  void check_kernel_op(const Op& op, const Types& types);
  void check_region_args(const Region& region, const Types& expected);
  void check_result(const Op& op, const Type& expected);

  const Program& program_;
  Lookup lookup_;
  std::size_t limit_;
  std::vector<Problem> problems_;
  std::string path_;

  std::map<int, GenericKind> declared_symbols_;
  std::unordered_set<int> declared_dtypes_;
  std::map<int, GenericKind> symbols_;  ///< in scope
  std::map<int, DtypeClass> dtypes_;    ///< in scope

  std::unordered_set<int> defined_;            ///< every id of the document so far
  std::unordered_map<int, Type> visible_;      ///< ids in scope
  std::vector<int> scope_;                     ///< visible ids in order of definition
  std::unordered_map<int, std::size_t> runs_;  ///< indices: how many units their domains have
  const Function* function_ = nullptr;
};

/// Equal as far as can be told without proofs: kinds, names, dtypes, ranks, packs and
/// constant extents.
[[nodiscard]] bool compatible(const Type& a, const Type& b);
[[nodiscard]] bool compatible(const ShapeUnits& a, const ShapeUnits& b);

[[nodiscard]] bool is_scalar_of(const Type& type, Scalar scalar);
[[nodiscard]] bool is_integer_scalar(const Type& type);

}  // namespace linnet::ir::detail
