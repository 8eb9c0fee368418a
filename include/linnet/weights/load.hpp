// From a checkpoint to a model that is ready to be called.
//
//   auto checkpoint = linnet::weights::Checkpoint::open("model.gguf");
//   auto bindings = linnet::weights::Bindings::open("bindings.json");
//   auto options = linnet::weights::options_for(*checkpoint);
//   auto loaded = linnet::weights::load<Model>(std::move(*checkpoint), *bindings, *options);
//   if (!loaded) return report(loaded.error());   // every mismatch at once
//   linnet::Context context(loaded->workspace());
//   (*loaded)->forward(context, tokens);
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linnet/core/context.hpp"
#include "linnet/core/dtype.hpp"
#include "linnet/core/members.hpp"
#include "linnet/core/reflect.hpp"
#include "linnet/core/result.hpp"
#include "linnet/weights/bindings.hpp"
#include "linnet/weights/checkpoint.hpp"
#include "linnet/weights/match.hpp"
#include "linnet/weights/messages.hpp"
#include "linnet/weights/residence.hpp"
#include "linnet/weights/row_order.hpp"
#include "linnet/weights/tensor_table.hpp"
#include "linnet/weights/zeroed_memory.hpp"

namespace linnet::weights {

struct LoadOptions {
  FloatStorage floats = FloatStorage::same;
  /// GGUF writers leave out outer axes of extent 1; take such a shape for the full one.
  bool drops_leading_ones = false;
  std::vector<RowOrder> row_orders;  // the first whose pattern matches a tensor counts
  /// Make the kernels' packed copy of block-quantised matrices: faster products for about the
  /// size of the matrices once more.
  bool pack = false;
  std::size_t workspace_bytes = 0;  // allocated with the model, for its calls
  Executor* executor = nullptr;     // packs in parallel; null: one thread
};

/// The options that suit a checkpoint. SafeTensors: floats are stored in the model's own dtype.
/// GGUF: any float format, and the row orders of its architecture (`gguf_row_orders`). Fails on one
/// part of a model that is split over several GGUF files.
[[nodiscard]] inline Result<LoadOptions> options_for(const Checkpoint& checkpoint) {
  LoadOptions options;
  if (const GgufFile* file = checkpoint.gguf()) {
    const auto parts = file->metadata().get_or<std::uint32_t>("split.count", 1);
    if (parts && *parts > 1) {
      return file_error(file->name(),
                        "one of " + std::to_string(*parts) + " parts of a model; join them first",
                        ErrorCode::unsupported);
    }
    auto orders = gguf_row_orders(*file);
    if (!orders) return orders.error();
    options.floats = FloatStorage::any;
    options.drops_leading_ones = true;
    options.row_orders = std::move(*orders);
  }
  return options;
}

/// Bytes that a loaded model takes.
struct MemoryReport {
  std::size_t file = 0;       // mapped, or the caller's; pages come in as they are read
  std::size_t copies = 0;     // weights in another row order, or misaligned in the file
  std::size_t packed = 0;     // the kernels' layout
  std::size_t state = 0;      // zeroed lazily: untouched pages take none
  std::size_t workspace = 0;  // likewise

  /// `file 93.8 MiB, copies 8.2 MiB, packed 0.0 MiB, state 45.0 MiB, workspace 1.5 MiB`
  [[nodiscard]] std::string text() const {
    const auto part = [](std::string_view name, std::size_t bytes) {
      const std::size_t tenths = (bytes * 10 + (std::size_t{1} << 19U)) >> 20U;
      return std::string(name) + " " + std::to_string(tenths / 10) + "." +
             std::to_string(tenths % 10) + " MiB";
    };
    return part("file", file) + ", " + part("copies", copies) + ", " + part("packed", packed) +
           ", " + part("state", state) + ", " + part("workspace", workspace);
  }
};

struct LoadReport {
  MemoryReport memory;
  std::vector<std::string> unbound_tensors;  // in the checkpoint, read by no weight
  std::vector<std::string> unused_bindings;  // paths that the model does not have
  std::vector<std::string> absent;           // optional weights and children that are not there
};

/// A model with everything that it refers to. Movable; the model stays in place.
template <Block Model>
class Loaded {
 public:
  [[nodiscard]] Model& operator*() const { return *model_; }
  [[nodiscard]] Model* operator->() const { return model_.get(); }

  [[nodiscard]] const LoadReport& report() const { return report_; }
  /// The checkpoint, or null where the model was loaded from a table.
  [[nodiscard]] const Checkpoint* checkpoint() const {
    return checkpoint_ ? &*checkpoint_ : nullptr;
  }
  /// `LoadOptions::workspace_bytes` bytes.
  [[nodiscard]] std::span<std::byte> workspace() const { return workspace_.bytes(); }
  /// Makes every state zero, as after loading.
  void reset_state() { state_.clear(); }

 private:
  template <Block M>
  friend class Loader;

  Loaded() = default;

  std::optional<Checkpoint> checkpoint_;
  std::optional<WeightResidence> weights_;
  ZeroedMemory state_;
  ZeroedMemory workspace_;
  std::unique_ptr<Model> model_;
  LoadReport report_;
};

namespace detail {

/// Whether everything that a child requires is in the checkpoint.
struct ProbeRequired {
  const WeightMatcher& matcher;
  bool complete = true;

  template <class Member>
  void tensor(std::string_view path, const Member&) {
    if constexpr (Member::kind != MemberKind::state && !Member::is_optional) {
      complete = complete && matcher.has(path);
    }
  }
  template <class Sub>
  bool enter_optional(std::string_view, const Sub&) {
    return false;  // a child of the child may be absent by itself
  }
};

/// The first walk: finds a tensor for every weight, and settles which optional children there are.
struct PlanWeights {
  WeightMatcher& matcher;
  std::vector<WeightPlan>& plans;
  std::vector<std::string>& absent;

  template <class Member>
  void tensor(std::string_view path, const Member&) {
    if constexpr (Member::kind != MemberKind::state) {
      using View = typename Member::view_type;
      constexpr auto& extents = View::shape_type::bounds;
      const WantedWeight wanted{path,
                                {extents.data(), extents.size()},
                                dtype_of<typename View::value_type>,
                                Member::is_optional};
      plans.push_back(matcher.match(wanted));
      if (Member::is_optional && plans.back().tensor == nullptr) absent.emplace_back(path);
    }
  }
  template <class Sub>
  bool enter_optional(std::string_view path, Sub& sub) {
    ProbeRequired probe{matcher};
    walk_members(sub.block, probe, path);
    sub.present = probe.complete;
    if (!sub.present) absent.emplace_back(path);
    return sub.present;
  }
};

/// The second walk, in the same order: gives every weight its data.
struct BindWeights {
  const std::vector<WeightPlan>& plans;
  const WeightResidence& weights;
  std::size_t next = 0;

  template <class Member>
  void tensor(std::string_view, Member& member) {
    if constexpr (Member::kind != MemberKind::state) {
      const WeightPlan& plan = plans[next++];
      if (plan.tensor == nullptr) return;
      const ResidentWeight resident = weights.get(plan);
      using View = typename Member::view_type;
      member.bind(View(resident.data, resident.format, resident.packed));
    }
  }
  template <class Sub>
  bool enter_optional(std::string_view, const Sub& sub) {
    return sub.present;
  }
};

}  // namespace detail

template <Block Model>
class Loader {
 public:
  [[nodiscard]] static Result<Loaded<Model>> load(const TensorTable& table,
                                                  const Bindings& bindings,
                                                  const LoadOptions& options) {
    Loaded<Model> loaded;
    loaded.model_ = std::make_unique<Model>();
    Model& model = *loaded.model_;

    WeightMatcher matcher(table, bindings, options.row_orders, options.floats,
                          options.drops_leading_ones);
    std::vector<WeightPlan> plans;
    walk_members(model, detail::PlanWeights{matcher, plans, loaded.report_.absent});
    if (auto error = matcher.error()) return *std::move(error);

    WeightResidence& weights = loaded.weights_.emplace(options.pack);
    for (const WeightPlan& plan : plans) weights.add(plan);
    if (auto error = weights.allocate(options.executor)) return *std::move(error);
    auto state = ZeroedMemory::allocate(state_bytes(model));
    auto workspace = ZeroedMemory::allocate(options.workspace_bytes);
    if (!state || !workspace) {
      return Error{ErrorCode::out_of_memory,
                   "no memory for " + std::to_string(state_bytes(model)) + " bytes of state and " +
                       std::to_string(options.workspace_bytes) + " bytes of workspace"};
    }
    loaded.state_ = std::move(*state);
    loaded.workspace_ = std::move(*workspace);

    walk_members(model, detail::BindWeights{plans, weights});
    bind_states(model, loaded.state_.bytes().data());

    LoadReport& report = loaded.report_;
    report.unbound_tensors = matcher.unbound_tensors();
    report.unused_bindings = matcher.unused_bindings();
    report.memory.copies = weights.copy_bytes();
    report.memory.packed = weights.packed_bytes();
    report.memory.state = loaded.state_.bytes().size();
    report.memory.workspace = loaded.workspace_.bytes().size();
    for (const StoredTensor& tensor : table.tensors()) report.memory.file += tensor.bytes.size();
    return loaded;
  }

  [[nodiscard]] static Result<Loaded<Model>> load(Checkpoint checkpoint, const Bindings& bindings,
                                                  const LoadOptions& options) {
    auto loaded = load(checkpoint.tensors(), bindings, options);
    if (!loaded) {
      const std::string file(checkpoint.name());
      return Error{loaded.error().code, file + ": " + loaded.error().message};
    }
    loaded->report_.memory.file = checkpoint.size_bytes();
    loaded->checkpoint_ = std::move(checkpoint);
    return loaded;
  }
};

/// Loads a model from a checkpoint, which the result keeps. Nothing is bound unless every weight
/// has a tensor of its shape in a format that it may be stored in; the error lists all that do not:
///
///   model.gguf: 2 weights do not fit the model:
///     layers.0.attention.q_proj.weight: expected [576, 576], found [2048, 2048] (tensor
///     `blk.0...`) norm.weight: missing (tensor `output_norm.weight`), expected [576] bf16
template <Block Model>
[[nodiscard]] Result<Loaded<Model>> load(Checkpoint checkpoint, const Bindings& bindings,
                                         const LoadOptions& options) {
  return Loader<Model>::load(std::move(checkpoint), bindings, options);
}

/// The same with the options that suit the checkpoint.
template <Block Model>
[[nodiscard]] Result<Loaded<Model>> load(Checkpoint checkpoint, const Bindings& bindings = {}) {
  const auto options = options_for(checkpoint);
  if (!options) return options.error();
  return Loader<Model>::load(std::move(checkpoint), bindings, *options);
}

/// Loads a model from tensors in memory, which must outlive it.
template <Block Model>
[[nodiscard]] Result<Loaded<Model>> load(const TensorTable& table, const Bindings& bindings = {},
                                         const LoadOptions& options = {}) {
  return Loader<Model>::load(table, bindings, options);
}

static_assert(std::endian::native == std::endian::little,
              "weights are read in place: the formats are little-endian");

}  // namespace linnet::weights
