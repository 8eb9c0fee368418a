// The verifier's rules: a valid program, one thing of it changed, and what the verifier says.

#include <functional>
#include <string>
#include <vector>

#include "codegen/ir/build.hpp"
#include "codegen/ir/verify.hpp"
#include "codegen/ir/walk.hpp"
#include "tests/unit/ir/compile.hpp"

using namespace linnet::ir;

namespace {

/// What a case changes; helpers find the places.
using Change = std::function<void(Program&)>;

struct Case {
  const char* source;
  Change change;
  const char* message;
};

Function& function(Program& program, const std::string& name = "f") {
  for (Function& function : program.functions) {
    if (function.name == "m::" + name) return function;
  }
  FAIL("no function " << name);
  return program.functions.front();
}

/// The first op of a kind, in any function of the module under test.
Op& op(Program& program, OpKind kind) {
  Op* found = nullptr;
  for (Function& function : program.functions) {
    const auto look = [&](Op& op) {
      if (found == nullptr && op.kind == kind) found = &op;
    };
    walk(function.body, look);
  }
  REQUIRE(found != nullptr);
  return *found;
}

Dim symbol(const Program& program, const std::string& name) {
  for (const Function& function : program.functions) {
    for (const Generic& generic : function.generics) {
      if (generic.name == name) return make_symbol(generic.id, name);
    }
  }
  for (const auto& [key, block] : program.blocks) {
    for (const Generic& generic : block.generics) {
      if (generic.name == name) return make_symbol(generic.id, name);
    }
  }
  FAIL("no generic " << name);
  return nullptr;
}

Dim plus_one(const Dim& dim) {
  return make_dim(DimKind::add, {dim, make_constant(1)});
}

/// The type with one extent made larger by one.
Type with_longer_axis(const Type& type, std::size_t axis) {
  ShapeUnits shape = type->shape;
  shape.at(axis).dim = plus_one(shape.at(axis).dim);
  return make_tensor(std::move(shape), type->dtype);
}

Change lengthen_result(OpKind kind, std::size_t axis) {
  return [=](Program& program) {
    Type& type = op(program, kind).results.back().type;
    type = with_longer_axis(type, axis);
  };
}

Change on(OpKind kind, const std::function<void(Op&)>& change) {
  return [=](Program& program) { change(op(program, kind)); };
}

std::string problems_of(const Program& program) {
  std::string text;
  for (const Problem& problem : verify(program)) {
    text += problem.where + ": " + problem.message + "\n";
  }
  return text;
}

/// Each case names what is wrong; without the change its program is valid (`compile` checks).
void check(const std::string& name, const std::vector<Case>& cases) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Program program = linnet::test::compile("verify_" + name + std::to_string(i),
                                            std::string("module m\n") + cases[i].source);
    cases[i].change(program);
    const std::string source = cases[i].source;
    const std::string expected = cases[i].message;
    const std::string got = problems_of(program);
    INFO(source, "\nexpected: ", expected, "\ngot: ", got);
    CHECK(got.find(expected) != std::string::npos);
  }
}

const char* const broadcasting =
    "pub fn f<N: Dim, M: Dim>(x: Tensor[N, M; f32], y: Tensor[1, M; f32]) -> Tensor[N, M; f32] {\n"
    "    return x + y\n}\n";
const char* const selecting =
    "pub fn f<N: Dim>(c: Tensor[N; bool], x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
    "    return select(c, x, -x)\n}\n";
const char* const reshaping =
    "pub fn f<*S: Shape, H: Dim, N: Dim>(x: Tensor[*S, H; f32]) -> Tensor[*S, N, H / N; f32]\n"
    "where N > 0, H % N == 0 {\n    return reshape(x, [*S, N, H / N])\n}\n";
const char* const slicing =
    "pub fn f<*S: Shape, A: Dim>(x: Tensor[*S, 2 * A, 8; f32]) -> Tensor[*S, A; f32] {\n"
    "    return x[..., 0::2, 3]\n}\n";
const char* const joining =
    "pub fn f<A: Dim, B: Dim>(x: Tensor[A, 3; f32], y: Tensor[B, 3; f32]) -> Tensor[A + B, 3; f32] "
    "{\n    return cumsum(concat(x, y, axis = 0), axis = 1)\n}\n";
const char* const contracting =
    "pub fn f<*S: Shape, A: Dim, B: Dim>(x: Tensor[*S, A; f32], w: Tensor[B, A; f32]) -> "
    "Tensor[*S, B; f32] {\n    let y[*s, b] = sum[a] x[*s, a] * w[b, a]\n    return y\n}\n";
const char* const gathering =
    "pub fn f<N: Dim, V: Dim>(t: Tensor[V, 4; f32], ids: Tensor[N; i64]) -> Tensor[N, 4; f32] {\n"
    "    let y[n, h] = t[ids[n], h]\n    return y\n}\n";
const char* const scanning =
    "pub fn f<N: Dim, H: Dim>(x: Tensor[H; f32]) -> Tensor[N, H; f32] {\n"
    "    return for _i in 0..N {\n        yield x\n    }\n}\n";
const char* const calling =
    "fn g<A: Dim, B: Dim>(x: Tensor[A; f32]) -> Tensor[A / B, B; f32] where B > 0, A % B == 0 {\n"
    "    return reshape(x, [A / B, B])\n}\n"
    "pub fn f<H: Dim>(x: Tensor[6 * H; f32]) -> Tensor[2 * H, 3; f32] where H > 0 {\n"
    "    return g<6 * H, 3>(x)\n}\n";
const char* const branching =
    "pub fn f<N: Dim>(c: bool, x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
    "    return if c { x } else { -x }\n}\n";
const char* const model =
    "block Layer<D: Dim, N: Dim> where N > 0, D % N == 0 {\n"
    "    param w: Tensor[D / N, N; f32]\n    state last: Tensor[D; f32]\n"
    "    pub fn step(x: Tensor[D; f32]) -> Tensor[D; f32] {\n"
    "        last = x\n        return x + reshape(w, [D])\n    }\n}\n"
    "pub block Model<H: Dim, L: Dim> where H > 0 {\n"
    "    sub layers: [Layer<4 * H, H>; L]\n    param scale: Tensor[4 * H; f32]?\n"
    "    pub entry run(x: Tensor[4 * H; f32]) -> Tensor[4 * H; f32] {\n"
    "        var y = x\n        static for layer in layers {\n            y = layer.step(y)\n"
    "        }\n        return y\n    }\n}\n";
const char* const tiling =
    "pub kernel k<R: Dim, C: Dim, B: Dim>(x: Tensor[R, C; f32]) -> y: Tensor[R, C; f32] grid(R)\n"
    "where B >= C {\n    let row = program_id(0)\n    let cols = iota<i32>(B)\n"
    "    let v = load(x[row, cols], cols < C, 0.0)\n    store(y[row, cols], v, cols < C)\n}\n"
    "pub op f<R: Dim, C: Dim>(x: Tensor[R, C; f32]) -> Tensor[R, C; f32] kernel k<R, C, 1024> {\n"
    "    return x\n}\n";
const char* const differentiating =
    "pub op f<N: Dim>(x: Tensor[N; f32], w: Tensor[2 * N; f32], n: i64) -> Tensor[N; f32] {\n"
    "    return x + w[0:N]\n} grad(y, dy) {\n    return (dy, concat(dy, y, axis = 0))\n}\n";

}  // namespace

TEST_CASE("extents of elementwise ops") {
  check(
      "elementwise",
      {{broadcasting, lengthen_result(OpKind::add, 1),
        "`add` of `Tensor[N, M; f32]` and `Tensor[1, M; f32]` cannot give `Tensor[N, M + 1; f32]`"},
       {broadcasting,
        [](Program& program) {
          Type& type = function(program).body.args[1].type;
          type = with_longer_axis(type, 0);
        },
        "`add` of `Tensor[N, M; f32]` and `Tensor[2, M; f32]` cannot give"},
       {broadcasting,
        [](Program& program) {
          Value& arg = function(program).body.args[1];
          arg.type = make_tensor({make_unit(symbol(program, "M"))}, arg.type->dtype);
          op(program, OpKind::add).operands = {arg.id, arg.id};
        },
        "`add` gives rank 1"},
       {selecting, lengthen_result(OpKind::select, 0), "`select` of `Tensor[N; bool]`, "},
       {selecting, lengthen_result(OpKind::neg, 0), "`neg` of `Tensor[N; f32]` cannot give"}});
}

TEST_CASE("extents of views") {
  check("views",
        {{reshaping,
          on(OpKind::reshape,
             [](Op& op) {
               op.attrs.shape.back().dim = plus_one(op.attrs.shape.back().dim);
               op.results[0].type = make_tensor(op.attrs.shape, op.results[0].type->dtype);
             }),
          "which has another number of elements"},
         {reshaping, lengthen_result(OpKind::reshape, 1), "`reshape` gives `Tensor[*S, N, H / N"},
         {"pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[2, N; f32] {\n"
          "    return broadcast_to(x, [2, N])\n}\n",
          [](Program& program) {
            Type& type = function(program).body.args[0].type;
            type = with_longer_axis(type, 0);
          },
          "`broadcast` of `Tensor[N + 1; f32]` to `[2, N]`, which does not broadcast"},
         {"pub fn f<N: Dim>() -> Tensor[N; f32] {\n    return fill<f32>([N], 1.0)\n}\n",
          lengthen_result(OpKind::fill, 0), "`fill` gives `Tensor[N; f32]`, not"},
         {"pub fn f<H: Dim, S: Dim>() -> Tensor[H / S + 1; f32] where S > 0 {\n"
          "    return fill<f32>([H / S + 1], 1.0)\n}\n",
          [](Program& program) {
            const Dim longer = plus_one(symbol(program, "H"));
            const Dim strides = make_dim(DimKind::floordiv, {longer, symbol(program, "S")});
            Op& fill = op(program, OpKind::fill);
            fill.attrs.shape = {make_unit(plus_one(strides))};
          },
          "`fill` gives `Tensor[(H + 1) / S + 1; f32]`, not"},
         {"pub fn f<N: Dim>() -> Tensor[N; i64] {\n    return iota(N)\n}\n",
          on(OpKind::iota,
             [](Op& op) {
               Type& type = op.results[0].type;
               type = make_tensor(type->shape, make_dtype(Scalar::boolean));
             }),
          "`iota` of `bool`"},
         {"pub fn f<N: Dim>() -> Tensor[N; i64] {\n    return iota(N)\n}\n",
          lengthen_result(OpKind::iota, 0), "`iota` gives `Tensor[N; i64]`, not"},
         {"pub fn f<A: Dim, B: Dim>(x: Tensor[A, B; f32]) -> Tensor[B, A; f32] {\n"
          "    return permute(x, [1, 0])\n}\n",
          on(OpKind::permute, [](Op& op) { op.attrs.permutation = {0, 1}; }),
          "`permute` gives `Tensor[A, B; f32]`, not `Tensor[B, A; f32]`"},
         {joining, lengthen_result(OpKind::concat, 0), "`concat` gives `Tensor[A + B, 3; f32]`"},
         {joining, on(OpKind::concat, [](Op& op) { op.attrs.axis = 1; }),
          "`concat` along axis 1 of `Tensor[A, 3; f32]` and `Tensor[B, 3; f32]`"},
         {joining, lengthen_result(OpKind::cumsum, 1), "`cumsum` gives `Tensor[A + B, 3; f32]`"}});
}

TEST_CASE("what a slice keeps, cuts and drops") {
  const auto cut = [](const std::function<void(std::vector<SliceAxis>&)>& change) {
    return on(OpKind::slice, [change](Op& op) { change(op.attrs.axes); });
  };
  check("slices",
        {{slicing, lengthen_result(OpKind::slice, 1), "`slice` gives `Tensor[*S,"},
         {slicing, cut([](auto& axes) {
            axes[0].whole_units.push_back(make_unit(make_constant(9)));
            axes.erase(axes.begin() + 1);
          }),
          "keeps the whole of `*S, 9`, but axis 1 of `Tensor[*S, 2 * A, 8; f32]` is `2 * A`"},
         {slicing, cut([](auto& axes) { axes[1].step = make_constant(3); }), "`slice` gives"},
         {slicing, cut([](auto& axes) { axes[1].step = make_constant(0); }), "a step of 0"},
         {slicing, cut([](auto& axes) { axes[1].start = make_constant(-1); }), "a bound of -1"},
         {slicing, cut([](auto& axes) { axes[1].stop = make_constant(2); }), "`slice` gives"},
         {slicing, cut([](auto& axes) { axes[2].squeeze = false; }), "`slice` gives"},
         {slicing, cut([](auto& axes) { axes[2].start = make_constant(8); }),
          "position 8 of an axis of 8"},
         {slicing, cut([](auto& axes) { axes.pop_back(); }), "`slice` covers 2 axes"},
         {slicing, cut([](auto& axes) { axes.erase(axes.begin()); }), "cuts into the pack `*S`"}});
}

TEST_CASE("index notation") {
  const auto domain = [](OpKind kind, std::size_t index) {
    return on(kind, [index](Op& op) {
      Dim& dim = op.attrs.indices[index].domain[0].dim;
      dim = plus_one(dim);
    });
  };
  check(
      "indices",
      {{contracting, lengthen_result(OpKind::comprehension, 1), "`comprehension` gives `Tensor[*S"},
       {contracting, domain(OpKind::reduce, 0),
        "an index over `A + 1`, but axis 1 of `Tensor[*S, A; f32]` is `A`"},
       {contracting, domain(OpKind::comprehension, 1), "an index over `B + 1`, but axis 0 of"},
       {contracting,
        on(OpKind::comprehension,
           [](Op& op) { op.regions[0].args[0].type = make_shape({make_unit(make_constant(2))}); }),
        "over `*S` is a `"},
       {contracting,
        on(OpKind::tensor_element, [](Op& op) { std::swap(op.operands[1], op.operands[2]); }),
        "an index over `A`, but axis 0 of"},
       {gathering,
        [](Program& program) {
          Type& ids = function(program).body.args[1].type;
          ids = make_tensor(ids->shape, make_dtype(Scalar::f32));
          op(program, OpKind::tensor_element).results[0].type = make_scalar(Scalar::f32);
        },
        "a position of `tensor.element` is no integer"}});
}

TEST_CASE("regions and loops") {
  check("control",
        {{branching, lengthen_result(OpKind::if_, 0),
          "gives `Tensor[N; f32]` where `Tensor[N + 1; f32]` is due"},
         {"pub fn f<N: Dim>(x: Tensor[N; f32]?) -> Tensor[N; f32] {\n"
          "    return match x { some(y) => y  none => fill<f32>([N], 0.0) }\n}\n",
          on(OpKind::option_match,
             [](Op& op) {
               Type& type = op.regions[0].args[0].type;
               type = with_longer_axis(type, 0);
             }),
          "argument 0 of the region is a `Tensor[N + 1; f32]`, not a `Tensor[N; f32]`"},
         {scanning, lengthen_result(OpKind::for_, 0), "`for` stacks `Tensor[N, H; f32]`, not"},
         {scanning, lengthen_result(OpKind::for_, 1), "`for` stacks `Tensor[N, H; f32]`, not"},
         {scanning,
          on(OpKind::const_dim,
             [](Op& op) { op.attrs.value = plus_one(std::get<Dim>(op.attrs.value)); }),
          "`for` stacks `Tensor[N + 1, H; f32]`, not"},
         {"pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n    var y = x\n"
          "    for _i in 0..3 {\n        y = y * y\n    }\n    return y\n}\n",
          lengthen_result(OpKind::for_, 0), "but carries a `Tensor[N; f32]`"}});
}

TEST_CASE("calls and the constraints of their callee") {
  const auto bind_b = [](std::int64_t value) {
    return [value](Program& program) {
      Op& call = op(program, OpKind::call);
      for (const Generic& generic : function(program, "g").generics) {
        if (generic.name == "B") call.attrs.substitution.dims[generic.id] = make_constant(value);
      }
      call.attrs.generics.clear();
      call.results[0].type = make_tensor(
          {make_unit(make_dim(DimKind::floordiv,
                              {make_dim(DimKind::mul, {make_constant(6), symbol(program, "H")}),
                               make_constant(value)})),
           make_unit(make_constant(value))},
          make_dtype(Scalar::f32));
    };
  };
  check(
      "calls",
      {{calling, [](Program& program) { function(program, "g").results.clear(); },
        "`m::g` gives nothing to call it for"},
       {calling, lengthen_result(OpKind::call, 0), "`m::g` gives a `Tensor["},
       {calling, [](Program& program) { function(program, "g").kind = FunctionKind::op; },
        "`call` of `m::g`, which is an op"},
       {calling, on(OpKind::call, [](Op& op) { op.kind = OpKind::semantic_call; }),
        "`semantic.call` of `m::g`, which is no op"},
       {calling,
        on(OpKind::call, [](Op& op) { op.attrs.substitution.dims[77] = make_constant(1); }),
        "binds a dim 77, which `m::g` has not"},
       {calling, bind_b(5), "`m::g` needs `A % B == 0`, and `6 * H % 5 == 0` does not follow here"},
       {calling, on(OpKind::call, [](Op& op) { op.attrs.generics[1] = make_constant(2); }),
        "generic `B` of `m::g` is `2` in one list and `3` in the other"},
       {calling,
        [](Program& program) {
          Type& type = function(program).body.args[0].type;
          type = with_longer_axis(type, 0);
        },
        "argument 0 of `m::g` is a `Tensor[6 * H + 1; f32]`, not a `Tensor[6 * H; f32]`"}});
  // A binding that satisfies the constraint is another valid program, up to its result.
  Program program = linnet::test::compile("verify_call_two", std::string("module m\n") + calling);
  bind_b(2)(program);
  CHECK(problems_of(program).find("needs") == std::string::npos);
}

TEST_CASE("dtypes outside their class") {
  check("classes",
        {{"fn g<T: Float>(x: T) -> T { return x }\npub fn f(x: f32) -> f32 { return g(x) }\n",
          [](Program& program) {
            Op& call = op(program, OpKind::call);
            for (auto& [number, dtype] : call.attrs.substitution.dtypes) {
              dtype = make_dtype(Scalar::i32);
            }
          },
          "is bound to `i32`, which is not in the class `float`"}});
}

TEST_CASE("blocks, members, states and the manifest") {
  const auto listed = [](std::size_t index, const std::function<void(ManifestEntry&)>& change) {
    return [=](Program& program) { change(program.manifest.at(index)); };
  };
  const auto member_type = [](Program& program) -> Type& {
    for (auto& [key, block] : program.blocks) {
      if (key == "Model") return block.members[0].type;
    }
    FAIL("no block");
    return program.blocks[0].second.members[0].type;
  };
  check("blocks",
        {{model, lengthen_result(OpKind::block_param, 0), "`block.param` gives `Tensor[D / N, N"},
         {model,
          [&](Program& program) {
            const Type& layer = member_type(program)->elements[0];
            const Type other = make_named(TypeKind::block, layer->name, layer->module,
                                          {layer->args[0], make_constant(7)});
            member_type(program) = make_array(other, member_type(program)->length);
          },
          "`Layer` needs `D % N == 0`, and `4 * H % 7 == 0` does not follow here"},
         {model,
          [&](Program& program) {
            Type& type = op(program, OpKind::block_sub).results[0].type;
            type = make_array(type->elements[0], plus_one(type->length));
          },
          "`block.sub` gives `[Layer<4 * H, H>; L]`, not `[Layer<4 * H, H>; L + 1]`"},
         {model,
          [](Program& program) {
            Op& write = op(program, OpKind::state_write);
            write.operands[1] = write.operands[0];
          },
          "state `last` is a `Tensor[D; f32]`, not a `Layer"},
         {model,
          [&](Program& program) {
            Type& type = member_type(program);
            type = make_array(type->elements[0], make_constant(-3));
          },
          "a length of -3"},
         {model,
          [](Program& program) {
            program.blocks[0].second.members.push_back(
                {"count", MemberKind::state, make_scalar(Scalar::f32), {}});
          },
          "a `state` must be a tensor"},
         {model,
          [](Program& program) {
            program.blocks[0].second.members.push_back(
                {"kept",
                 MemberKind::state,
                 make_optional(make_tensor({make_unit(make_constant(4))}, make_dtype(Scalar::f32))),
                 {}});
          },
          "a `state` must be a tensor"},
         {model, [](Program& program) { function(program, "Model.run").name = "m::Layer.run"; },
          "is no method of block `Model` by its name"},
         {model, [](Program& program) { function(program, "Model.run").block.clear(); },
          "is named like a method, and has no block"},
         {model, [](Program& program) { function(program, "Model.run").states.clear(); },
          "does not list `layers[*].last`, which the function uses"},
         {model, listed(0, [](auto& entry) { entry.path = "layers[*].v"; }),
          "`layers[*].v` stands where `layers[*].w` is due"},
         {model, listed(0, [](auto& entry) { entry.kind = MemberKind::buffer; }),
          "`layers[*].w` is a `param`, not a `buffer`"},
         {model, listed(0, [](auto& entry) { entry.shape[0].dim = make_constant(3); }),
          "`layers[*].w` is a `Tensor[4 * H / H, H; f32]`, not a `Tensor[3, H; f32]`"},
         {model, listed(0, [](auto& entry) { entry.repeat[0] = plus_one(entry.repeat[0]); }),
          "`layers[*].w` is in arrays of other lengths"},
         {model, listed(0, [](auto& entry) { entry.optional = true; }),
          "`layers[*].w` is not optional"},
         {model, listed(2, [](auto& entry) { entry.optional = false; }), "`scale` is optional"},
         {model, [](Program& program) { program.manifest.pop_back(); },
          "lists 2 members of block `Model`, which has more"},
         {model,
          [](Program& program) {
            program.manifest.push_back(program.manifest.back());
            program.manifest.back().path = "other";
          },
          "`other` is no member of block `Model`"},
         {model,
          [](Program& program) {
            for (auto& [key, block] : program.blocks) {
              if (key != "Layer") continue;
              const Type own =
                  make_named(TypeKind::block, block.name, block.module,
                             {as_argument(block.generics[0]), as_argument(block.generics[1])});
              block.members.push_back({"again", MemberKind::sub, own, {}});
            }
          },
          "holds itself"}});
}

TEST_CASE("kernels and what binds them") {
  check(
      "kernels",
      {{tiling, lengthen_result(OpKind::kernel_load, 0), "`kernel.load` gives `Tensor[B; f32]`"},
       {tiling, lengthen_result(OpKind::compare, 0),
        "the mask of `kernel.load` is a `Tensor[B + 1"},
       {tiling, on(OpKind::kernel_store, [](Op& op) { op.operands[3] = op.operands[2]; }),
        "`kernel.store` of a `Tensor[B; i32]` and `Tensor[R, C; f32]`"},
       {tiling,
        [](Program& program) {
          op(program, OpKind::kernel_store).operands[0] = function(program, "k").body.args[0].id;
        },
        "`kernel.store` to what is no result of the kernel"},
       {tiling, [](Program& program) { function(program, "k").kernel->grid.clear(); },
        "a grid has one to three sizes"},
       {tiling, on(OpKind::kernel_program_id, [](Op& op) { op.attrs.axis = 1; }),
        "axis 1 of a grid with 1"},
       {tiling, [](Program& program) { function(program).kernel->generics[1] = make_constant(5); },
        "parameter 0 of kernel `m::k` is a `Tensor[R, 5; f32]`, and that of the op"},
       {tiling,
        [](Program& program) {
          Function& kernel = function(program, "k");
          kernel.results[0] = with_longer_axis(kernel.results[0], 1);
        },
        "result 0 of kernel `m::k` is a `Tensor[R, C + 1; f32]`, and that of the op"}});
}

TEST_CASE("gradients") {
  const auto gradient = [](const std::function<void(std::vector<int>&)>& change) {
    return [=](Program& program) {
      Region& region = *function(program).grad;
      for (Op& op : region.ops) {
        if (op.kind != OpKind::tuple_make) continue;
        change(op.operands);
        std::vector<Type> types;
        for (const int id : op.operands) {
          const bool is_joined = id == region.ops[0].results[0].id;
          types.push_back(is_joined ? region.ops[0].results[0].type : region.args[0].type);
        }
        op.results[0].type = make_tuple(types);
      }
    };
  };
  check("gradients", {{differentiating, gradient([](auto& ids) { ids.pop_back(); }),
                       "gives 1 gradients for 2 float tensors"},
                      {differentiating, gradient([](auto& ids) { ids[1] = ids[0]; }),
                       "gives the gradient `Tensor[N; f32]` for a `Tensor[2 * N; f32]`"}});
  // The derivative may use the op itself: that is no recursion.
  linnet::test::compile("verify_grad_itself",
                        "module m\npub op f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
                        "    return exp(x)\n} grad(y, dy) {\n    return dy * f(x)\n}\n");
}

TEST_CASE("what is equal under the constraints is not refused") {
  const char* const sources[] = {
      "pub fn f<A: Dim, B: Dim, C: Dim>(x: Tensor[A, B; f32], y: Tensor[C; f32]) -> "
      "Tensor[A, C; f32] where B == C, A == 2 * B {\n    return x + y\n}\n",
      "pub fn f<H: Dim, N: Dim, S: Dim>(x: Tensor[H; f32]) -> Tensor[S, N / S, H / N; f32]\n"
      "where N > 0, S > 0, H % N == 0, N % S == 0 {\n"
      "    return reshape(x, [S, N / S, H / N])\n}\n",
      "pub fn f<A: Dim, B: Dim>(x: Tensor[A; f32], y: Tensor[B; f32]) -> Tensor[A; f32]\n"
      "where B == 1 {\n    return x * y\n}\n",
      "pub fn f<N: Dim>(x: Tensor[N - 4; f32]) -> Tensor[max(0, N - 4); f32] {\n"
      "    return x[0:]\n}\n",
      "pub fn f<N: Dim>(x: Tensor[N; f32]) -> f32 {\n    return x[5]\n}\n",
      "pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] where 768 % N == 0, N > 100 {\n"
      "    return reshape(x, [N])\n}\n",
      // No witness: what cannot hold can be said about anything.
      "pub fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] where N % 4 == 3, N % 2 == 0 {\n"
      "    return x\n}\n"};
  for (const char* source : sources) {
    linnet::test::compile("verify_equal", std::string("module m\n") + source);
  }
}
