// Tokens by id and ids by bytes: one arena for the text, one open-addressing table.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linnet::text {

using TokenId = std::int32_t;

/// 64-bit FNV-1a with a final mix.
[[nodiscard]] inline std::uint64_t hash_bytes(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3u;
  return hash ^ hash >> 32;
}

/// The byte strings of a vocabulary. Ids may have gaps; a gap holds no token.
class Vocabulary {
 public:
  /// Room for `tokens` tokens of `bytes` bytes in all.
  void reserve(std::size_t tokens, std::size_t bytes) {
    arena_.reserve(bytes);
    places_.reserve(tokens);
    rehash(tokens);
  }

  /// Gives `id` its bytes; false when the id has some already. Of equal byte strings the
  /// first keeps the reverse look-up.
  bool add(TokenId id, std::string_view bytes) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= places_.size()) places_.resize(index + 1);
    if (places_[index].present) return false;
    places_[index] = {arena_.size(), static_cast<std::uint32_t>(bytes.size()), true};
    arena_.append(bytes);
    ++count_;
    if (count_ * 2 > slots_.size()) rehash(count_ * 2);
    insert(id);
    return true;
  }

  /// One more than the largest id.
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// How many ids have a token.
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] bool contains(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < places_.size() &&
           places_[static_cast<std::size_t>(id)].present;
  }

  /// The bytes of a token; empty for ids without one.
  [[nodiscard]] std::string_view operator[](TokenId id) const {
    if (!contains(id)) return {};
    const Place& place = places_[static_cast<std::size_t>(id)];
    return std::string_view(arena_).substr(place.begin, place.length);
  }

  /// The token with these bytes, -1 when there is none.
  [[nodiscard]] TokenId find(std::string_view bytes) const {
    if (slots_.empty()) return -1;
    for (std::size_t at = hash_bytes(bytes) & mask();; at = (at + 1) & mask()) {
      const TokenId id = slots_[at];
      if (id < 0 || (*this)[id] == bytes) return id;
    }
  }

 private:
  struct Place {
    std::size_t begin = 0;
    std::uint32_t length = 0;
    bool present = false;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }

  void insert(TokenId id) {
    const std::string_view bytes = (*this)[id];
    std::size_t at = hash_bytes(bytes) & mask();
    for (; slots_[at] >= 0; at = (at + 1) & mask())
      if ((*this)[slots_[at]] == bytes) return;
    slots_[at] = id;
  }

  void rehash(std::size_t tokens) {
    const std::size_t wanted = std::bit_ceil(tokens * 2 + 16);
    if (wanted <= slots_.size()) return;
    std::vector<TokenId> old(wanted, -1);
    old.swap(slots_);
    for (const TokenId id : old)
      if (id >= 0) insert(id);
  }

  std::string arena_;
  std::vector<Place> places_;
  std::vector<TokenId> slots_;
  std::size_t count_ = 0;
};

}  // namespace linnet::text
