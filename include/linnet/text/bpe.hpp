// Byte-pair merging: of all adjacent pairs that the vocabulary can merge, the one of the lowest
// rank is merged first, the leftmost of equals, until none is left (Sennrich et al., 2016).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "linnet/text/vocabulary.hpp"

namespace linnet::text {

/// What a pair of tokens becomes, and how early.
struct Merge {
  std::uint32_t rank = std::numeric_limits<std::uint32_t>::max();
  TokenId merged = -1;
  [[nodiscard]] bool possible() const { return merged >= 0; }
};

/// Pairs of token ids to their merge, in an open-addressing table.
class MergeTable {
 public:
  void reserve(std::size_t merges) { rehash(merges); }

  /// The first rank given to a pair stays.
  void add(TokenId left, TokenId right, Merge merge) {
    if ((count_ + 1) * 2 > slots_.size()) rehash(count_ * 2 + 1);
    Slot& slot = slots_[place(key_of(left, right))];
    if (slot.merge.possible()) return;
    slot = {key_of(left, right), merge};
    ++count_;
  }

  [[nodiscard]] Merge find(TokenId left, TokenId right) const {
    return slots_.empty() ? Merge{} : slots_[place(key_of(left, right))].merge;
  }

  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Merge merge;
  };

  [[nodiscard]] static std::uint64_t key_of(TokenId left, TokenId right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }

  /// The slot of a key, or the free one where it belongs.
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots_[at].merge.possible() && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void rehash(std::size_t merges) {
    const std::size_t wanted = std::bit_ceil(merges * 2 + 16);
    if (wanted <= slots_.size()) return;
    std::vector<Slot> old(wanted);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.merge.possible()) slots_[place(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// Scratch of `merge_pairs`, kept by the caller so that encoding does not allocate a piece at a
/// time.
struct BpeScratch {
  struct Symbol {
    TokenId id;
    std::int32_t previous, next;
  };
  struct Candidate {
    std::uint32_t rank;
    std::int32_t left, right;
    TokenId left_id, right_id;  ///< what stood there when the candidate was found
    TokenId merged;
    [[nodiscard]] bool operator<(const Candidate& other) const {
      // priority_queue gives the largest: the lowest rank, then the leftmost.
      return rank != other.rank ? rank > other.rank : left > other.left;
    }
  };
  std::vector<TokenId> ids;
  std::vector<Symbol> symbols;
  std::vector<Candidate> heap;
};

namespace detail {

/// Short pieces: look at every pair again after each merge. `find` gives the Merge of two ids.
template <class Find>
void merge_short(std::vector<TokenId>& ids, const Find& find) {
  while (ids.size() > 1) {
    Merge best;
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const Merge merge = find(ids[i], ids[i + 1]);
      if (merge.possible() && (!best.possible() || merge.rank < best.rank)) {
        best = merge;
        where = i;
      }
    }
    if (!best.possible()) return;
    ids[where] = best.merged;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
}

/// Long pieces: a linked list and a heap, n log n even for a run of a million letters.
template <class Find>
void merge_long(BpeScratch& scratch, const Find& find) {
  auto& symbols = scratch.symbols;
  symbols.clear();
  const auto count = static_cast<std::int32_t>(scratch.ids.size());
  for (std::int32_t i = 0; i < count; ++i)
    symbols.push_back(
        {scratch.ids[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1});
  const auto at = [&](std::int32_t i) -> BpeScratch::Symbol& {
    return symbols[static_cast<std::size_t>(i)];
  };

  scratch.heap.clear();
  std::priority_queue<BpeScratch::Candidate> queue({}, std::move(scratch.heap));
  const auto consider = [&](std::int32_t left, std::int32_t right) {
    if (left < 0 || right < 0) return;
    const Merge merge = find(at(left).id, at(right).id);
    if (merge.possible())
      queue.push({merge.rank, left, right, at(left).id, at(right).id, merge.merged});
  };
  for (std::int32_t i = 0; i + 1 < count; ++i) consider(i, i + 1);

  while (!queue.empty()) {
    const BpeScratch::Candidate best = queue.top();
    queue.pop();
    // A merge nearby may have changed or removed either side since.
    if (at(best.left).id != best.left_id || at(best.left).next != best.right ||
        at(best.right).id != best.right_id)
      continue;
    at(best.left).id = best.merged;
    at(best.left).next = at(best.right).next;
    if (at(best.left).next >= 0) at(at(best.left).next).previous = best.left;
    at(best.right).id = -1;
    consider(at(best.left).previous, best.left);
    consider(best.left, at(best.left).next);
  }

  scratch.ids.clear();
  for (std::int32_t i = count > 0 ? 0 : -1; i >= 0; i = at(i).next) scratch.ids.push_back(at(i).id);
}

}  // namespace detail

/// Merges `scratch.ids`, the symbols of one piece, in place.
template <class Find>
void merge_pairs(BpeScratch& scratch, const Find& find) {
  // Below this the plain scan is the faster of the two.
  constexpr std::size_t short_piece = 32;
  if (scratch.ids.size() <= short_piece)
    detail::merge_short(scratch.ids, find);
  else
    detail::merge_long(scratch, find);
}

}  // namespace linnet::text
