#include "linnet/core/reflect.hpp"

#include <doctest/doctest.h>

#include <boost/hana/at_key.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/keys.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "linnet/core/hana.hpp"

using linnet::Extent;
using linnet::member;
using linnet::members;
using linnet::Shape;

namespace {

template <Extent In, Extent Out, class T>
struct Linear {
  linnet::Param<T, Shape<Out, In>> weight;
  linnet::OptionalParam<T, Shape<Out>> bias;
  static constexpr auto linnet_members() {
    return members(member<"weight">(&Linear::weight), member<"bias">(&Linear::bias));
  }
};

template <Extent H, Extent Layers>
struct Model {
  linnet::Param<float, Shape<>> scale;
  linnet::SubArray<Linear<H, 2 * H, linnet::bf16>, Layers> layers;
  linnet::OptionalSub<Linear<H, H, float>> head;
  linnet::State<float, Shape<2, H>> cache;
  linnet::Buffer<std::int32_t, Shape<5>> table;
  static constexpr auto linnet_members() {
    return members(member<"scale">(&Model::scale), member<"layers">(&Model::layers),
                   member<"head">(&Model::head), member<"cache">(&Model::cache),
                   member<"table">(&Model::table));
  }
};

using Small = Model<3, 2>;
using Paths = std::vector<std::string>;

/// Notes what it meets and goes into no optional child.
struct Notes {
  Paths& paths;
  template <class Member>
  void tensor(std::string_view path, Member&) {
    paths.emplace_back(path);
  }
  template <class Sub>
  bool enter_optional(std::string_view path, Sub& sub) {
    paths.emplace_back("?" + std::string(path));
    sub.present = true;
    return false;
  }
};

}  // namespace

TEST_CASE("parameters are walked with their paths in declaration order") {
  Small model;
  Paths paths;
  linnet::for_each_parameter(model,
                             [&](std::string_view path, auto&) { paths.emplace_back(path); });
  CHECK(paths == Paths{"scale", "layers.0.weight", "layers.0.bias", "layers.1.weight",
                       "layers.1.bias", "table"});
  model.head.present = true;
  paths.clear();
  const Small& reading = model;
  linnet::for_each_parameter(reading,
                             [&](std::string_view path, const auto&) { paths.emplace_back(path); });
  CHECK(paths == Paths{"scale", "layers.0.weight", "layers.0.bias", "layers.1.weight",
                       "layers.1.bias", "head.weight", "head.bias", "table"});
}

TEST_CASE("absent children are met only when asked for") {
  Small model;
  Paths paths;
  linnet::for_each_member(model, [&](std::string_view path, auto&) { paths.emplace_back(path); });
  CHECK(paths.size() == 9);
  paths.clear();
  linnet::walk_members(model, Notes{paths});
  CHECK(paths[5] == "?head");
  CHECK(paths[6] == "cache");
  CHECK(model.head.has_value());
}

TEST_CASE("elements are counted and states are given memory") {
  Small model;
  CHECK(linnet::count_parameters(model) == 1 + 2 * 18 + 5);
  const float bias[6] = {};
  model.layers[0].bias.bind({bias, linnet::Format::f32});
  model.head.present = true;
  CHECK(linnet::count_parameters(model) == 1 + 2 * 18 + 5 + 6 + 9);
  CHECK(linnet::state_bytes(model) == 64);
  alignas(64) std::byte memory[64] = {};
  linnet::bind_states(model, memory);
  model.cache.view()(1, 2) = 4;
  CHECK(reinterpret_cast<const float*>(memory)[5] == 4);
}

TEST_CASE("a block is a Boost.Hana struct") {
  Small model;
  Paths names;
  boost::hana::for_each(boost::hana::keys(model),
                        [&](auto key) { names.emplace_back(key.c_str()); });
  CHECK(names == Paths{"scale", "layers", "head", "cache", "table"});
  boost::hana::at_key(model, boost::hana::string_c<'h', 'e', 'a', 'd'>).present = true;
  CHECK(model.head.present);
}
