#pragma once
// Every block as a Boost.Hana Struct: `boost::hana::for_each(model, ...)`, `hana::keys(model)`,
// `hana::at_key(model, key)`. Kept apart from `reflect.hpp`, which does not need Hana to compile.

#include <boost/hana/accessors.hpp>
#include <boost/hana/core/when.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <tuple>
#include <utility>

#include "linnet/core/reflect.hpp"

namespace linnet::detail {

template <class Accessor>
constexpr auto hana_key() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return boost::hana::string_c<Accessor::name[I]...>;
  }(std::make_index_sequence<Accessor::name.size()>{});
}

/// Reads a member and keeps the value category of the block, as Hana's accessors do.
template <class Accessor>
struct HanaAccessor {
  Accessor accessor;
  template <class B>
  constexpr decltype(auto) operator()(B&& block) const {
    return (std::forward<B>(block).*(accessor.pointer));
  }
};

}  // namespace linnet::detail

namespace boost::hana {

template <class B>
struct accessors_impl<B, when<linnet::Block<B>>> {
  static constexpr auto apply() {
    return std::apply(
        [](auto... accessor) {
          return make_tuple(
              make_pair(linnet::detail::hana_key<decltype(accessor)>(),
                        linnet::detail::HanaAccessor<decltype(accessor)>{accessor})...);
        },
        B::linnet_members());
  }
};

}  // namespace boost::hana
