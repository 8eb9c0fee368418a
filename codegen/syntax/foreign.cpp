#include "codegen/syntax/foreign.hpp"

#include <algorithm>
#include <iterator>

namespace linnet::syntax {
namespace {

template <class Key>
struct Entry {
  Key key;
  std::string_view advice;
};
using Word = Entry<std::string_view>;
using Character = Entry<char32_t>;

template <class Key, std::size_t N>
std::string_view find(const Entry<Key> (&table)[N], Key key) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const Entry<Key>& entry) { return entry.key == key; });
  return found == std::end(table) ? std::string_view() : found->advice;
}

constexpr Word dtypes[] = {
    {"float", "f32"},    {"double", "f64"},    {"half", "f16"},    {"int", "i64"},
    {"long", "i64"},     {"short", "i16"},     {"char", "i8"},     {"byte", "u8"},
    {"boolean", "bool"}, {"Bool", "bool"},     {"float16", "f16"}, {"float32", "f32"},
    {"float64", "f64"},  {"bfloat16", "bf16"}, {"int8", "i8"},     {"int16", "i16"},
    {"int32", "i32"},    {"int64", "i64"},     {"uint8", "u8"},    {"uint16", "u16"},
    {"uint32", "u32"},   {"uint64", "u64"},    {"isize", "i64"},   {"usize", "u64"},
    {"size_t", "u64"},   {"uint8_t", "u8"},    {"int32_t", "i32"}, {"int64_t", "i64"},
    {"number", "f32"},   {"Int", "i64"},       {"Float32", "f32"}, {"unsigned", "u32"},
};

constexpr std::string_view function_advice =
    "a function is written `fn name(x: f32) -> f32 { ... }`";
constexpr std::string_view import_advice = "an import is written `use std.nn.linear::{linear}`";
constexpr std::string_view block_advice =
    "what holds weights is a block: `block Linear<In: Dim, Out: Dim> { param w: ... }`";
constexpr std::string_view trait_advice =
    "there are no traits; a function for many types takes generics: `fn f<T: Float>(x: T) -> T`";
constexpr std::string_view statement_place = "statements stand in the body of a function";

constexpr Word items[] = {
    {"def", function_advice},
    {"func", function_advice},
    {"function", function_advice},
    {"fun", function_advice},
    {"void", function_advice},
    {"async", function_advice},
    {"lambda", function_advice},
    {"class", block_advice},
    {"impl", "there is no `impl`; the methods of a block stand in its braces"},
    {"trait", trait_advice},
    {"interface", trait_advice},
    {"import", import_advice},
    {"from", import_advice},
    {"include", import_advice},
    {"using", import_advice},
    {"mod", "each file is one module; another one is brought in by `use crate.name::{item}`"},
    {"module", "a file is one module and has one `module` line"},
    {"namespace", "each file is one module: `module a.b` is its first line"},
    {"typedef", "a type gets a second name by `type Name = ...`"},
    {"template", "generics follow the name: `fn f<T: Float>(x: T) -> T`"},
    {"static", "a value for the whole module is a constant: `const N = 4`"},
    {"let", "outside of functions stand only constants: `const N = 4`"},
    {"var", "outside of functions stand only constants: `const N = 4`"},
    {"if", statement_place},
    {"for", statement_place},
    {"while", statement_place},
    {"return", statement_place},
    {"macro", "there are no macros"},
    {"unsafe", "there is no unsafe code"},
};

constexpr std::string_view loop_advice =
    "a loop ends with its range or its condition: carry a `var` and test it in `while c { ... }`";

constexpr Word statements[] = {
    {"pass", "a body may be empty: remove it"},
    {"break", loop_advice},
    {"continue", "choose values instead: `x = if c { a } else { x }`"},
    {"loop", "a loop is `while c { ... }` or `for i in 0..N { ... }`"},
    {"do", "a loop is `while c { ... }` or `for i in 0..N { ... }`"},
    {"assert", "what must hold for dimensions is said in the header: `where H % N == 0`"},
    {"print", "nothing is printed: hand the value back with `return`"},
    {"raise", "there are no exceptions; what must hold for dimensions is a `where`"},
    {"throw", "there are no exceptions; what must hold for dimensions is a `where`"},
    {"try", "there are no exceptions; what may be missing is an optional, read by `match`"},
    {"with", "there are no contexts: remove it"},
    {"del", "values need no deletion: remove it"},
    {"elif", "write `else if`"},
    {"auto", "a local is declared by `let`, or by `var` when it changes"},
    {"const", "a local is declared by `let`"},
    {"switch", "a choice by value is `match v { A => a  B => b }`"},
    {"goto", loop_advice},
};

constexpr Word values[] = {
    {"and", "the operator is `&&`; for `bool` tensors it is `&`"},
    {"or", "the operator is `||`; for `bool` tensors it is `|`"},
    {"not", "the operator is `!`, as in `!done`"},
    {"is", "values are compared by `==`; whether an optional is there is asked by `match`"},
    {"None", "write `none`"},
    {"nullptr", "write `none`"},
    {"null", "write `none`"},
    {"nil", "write `none`"},
    {"True", "write `true`"},
    {"False", "write `false`"},
    {"Some", "write `some(x)`"},
    {"lambda", "there are no function values: declare a `fn` and call it"},
    {"len", "an extent has a name: take it as a generic, `fn f<N: Dim>(x: Tensor[N; f32])`"},
    {"range", "a range is written `0..N`"},
    {"print", "nothing is printed: hand the value back with `return`"},
    {"torch", "tensors have operators, index notation and `std`: `use std.nn.linear::{linear}`"},
    {"np", "tensors have operators, index notation and `std`: `use std.nn.linear::{linear}`"},
    {"nn", "layers are in `std.nn`: `use std.nn.linear::{Linear}`"},
    {"F", "functions of layers are in `std.nn`: `use std.nn.linear::{linear}`"},
    {"matmul", "a product of matrices is `let c[m, n] = sum[k] a[m, k] * b[k, n]`"},
    {"einsum", "it is written out: `let c[m, n] = sum[k] a[m, k] * b[k, n]`"},
    {"zeros", "write `fill<f32>([M, N], 0.0)`"},
    {"ones", "write `fill<f32>([M, N], 1.0)`"},
    {"full", "write `fill<f32>([M, N], value)`"},
    {"arange", "write `iota<i64>(N)`"},
    {"cat", "write `concat(a, b, axis = 0)`"},
    {"stack", "give each part a first axis and join them with `concat(a, b, axis = 0)`"},
    {"transpose", "write `permute(x, [1, 0])`"},
    {"expand", "write `broadcast_to(x, [B, S, H])`"},
    {"view", "write `reshape(x, [A, B])`"},
    {"pow", "multiply, or write `exp(y * log(x))`"},
    {"clamp", "write `min(max(x, low), high)`"},
    {"mean", "write `(sum[i] x[i]) / cast<f32>(N)`"},
    {"float", "write `cast<f32>(x)`"},
    {"int", "write `cast<i64>(x)`"},
};

constexpr std::string_view optional_advice = "an optional type is written `T?`";
constexpr std::string_view list_advice =
    "a row of numbers is `Tensor[N; f32]`; a row of blocks is `sub layers: [Layer; N]`";

constexpr Word types[] = {
    {"Optional", optional_advice},
    {"Option", optional_advice},
    {"Maybe", optional_advice},
    {"List", list_advice},
    {"list", list_advice},
    {"Vec", list_advice},
    {"Array", list_advice},
    {"Tuple", "a tuple type is written `(A, B)`"},
    {"tuple", "a tuple type is written `(A, B)`"},
    {"tensor", "write the shape and dtype: `Tensor[B, H; f32]`"},
    {"str", "there is no string type"},
    {"String", "there is no string type"},
    {"string", "there is no string type"},
    {"dict", "values with names are a `struct`"},
    {"Any", "a type that may vary is a generic: `T: Numeric`"},
    {"void", "a function without a result has no `->`"},
    {"None", "a function without a result has no `->`"},
    {"Self", "name the type itself"},
};

constexpr std::string_view shape_advice =
    "extents are part of the type: name them as generics, `<N: Dim>(x: Tensor[N; f32])`";

constexpr Word attributes[] = {
    {"shape", shape_advice},
    {"size", shape_advice},
    {"len", shape_advice},
    {"dim", shape_advice},
    {"ndim", shape_advice},
    {"dtype", "the dtype is part of the type: name it as a generic, `<T: Float>`"},
    {"T", "write `permute(x, [1, 0])`"},
    {"mT", "write `permute(x, [1, 0])`"},
    {"t", "write `permute(x, [1, 0])`"},
    {"transpose", "write `permute(x, [1, 0])`"},
    {"permute", "write `permute(x, [1, 0])`"},
    {"view", "write `reshape(x, [A, B])`"},
    {"reshape", "write `reshape(x, [A, B])`"},
    {"flatten", "write `reshape(x, [A * B])`"},
    {"expand", "write `broadcast_to(x, [B, S, H])`"},
    {"unsqueeze", "write `reshape(x, [1, N])`"},
    {"squeeze", "index the axis of extent 1: `x[0, :]`"},
    {"to", "write `cast<f32>(x)`"},
    {"type", "write `cast<f32>(x)`"},
    {"float", "write `cast<f32>(x)`"},
    {"half", "write `cast<f16>(x)`"},
    {"int", "write `cast<i32>(x)`"},
    {"long", "write `cast<i64>(x)`"},
    {"sum", "write `sum[i] x[i]`, and `let y[j] = sum[i] x[i, j]` for one axis"},
    {"mean", "write `(sum[i] x[i]) / cast<f32>(N)`"},
    {"max", "write `max[i] x[i]`, and `let y[j] = max[i] x[i, j]` for one axis"},
    {"min", "write `min[i] x[i]`, and `let y[j] = min[i] x[i, j]` for one axis"},
    {"exp", "write `exp(x)`"},
    {"log", "write `log(x)`"},
    {"sqrt", "write `sqrt(x)`"},
    {"abs", "write `abs(x)`"},
    {"pow", "multiply, or write `exp(y * log(x))`"},
    {"matmul", "a product of matrices is `let c[m, n] = sum[k] a[m, k] * b[k, n]`"},
    {"item", "index every axis: `x[0]`"},
    {"contiguous", "every tensor is dense: remove it"},
    {"clone", "values do not change: remove it"},
    {"detach", "nothing is recorded: remove it"},
    {"unwrap", "read an optional by `match v { some(x) => x  none => other }`"},
    {"value", "read an optional by `match v { some(x) => x  none => other }`"},
};

constexpr std::string_view quote_advice = "a string is written in straight double quotes";

constexpr Character characters[] = {
    {U'#', "a comment starts with `//`"},
    {U'@', "a product of matrices is written `let c[m, n] = sum[k] a[m, k] * b[k, n]`"},
    {U'$', "names are ASCII letters, digits and `_`"},
    {U'~', "logical not is `!x`; all bits are turned by `x ^ -1`"},
    {U'\\', "a line needs no mark to go on: white space only separates tokens"},
    {U'`', "write the name without quotes"},
    {U'\'', quote_advice},
    {U'\u2018', quote_advice},
    {U'\u2019', quote_advice},
    {U'\u201C', quote_advice},
    {U'\u201D', quote_advice},
    {U'\u201E', quote_advice},
    {U'\u00D7', "write `*`"},
    {U'\u00F7', "write `/`"},
    {U'\u2212', "write `-`"},
    {U'\u2013', "write `-`"},
    {U'\u2014', "write `-`"},
    {U'\u2264', "write `<=`"},
    {U'\u2265', "write `>=`"},
    {U'\u2260', "write `!=`"},
    {U'\u2192', "write `->`"},
    {U'\u21D2', "write `=>`"},
    {U'\u2026', "write `...`"},
    {U'\u00A0', "write a plain space"},
    {U'\u200B', "remove it: it is a space without width"},
    {U'\uFEFF', "remove it: it is a byte-order mark"},
    {U'\uFF08', "write `(`"},
    {U'\uFF09', "write `)`"},
    {U'\uFF0C', "write `,`"},
    {U'\uFF1A', "write `:`"},
    {U'\uFF1B', "write `;`"},
};

}  // namespace

std::string_view dtype_meant_by(std::string_view word) {
  return find(dtypes, word);
}
std::string_view item_advice(std::string_view word) {
  return find(items, word);
}
std::string_view statement_advice(std::string_view word) {
  return find(statements, word);
}
std::string_view value_advice(std::string_view word) {
  return find(values, word);
}
std::string_view type_advice(std::string_view word) {
  return find(types, word);
}
std::string_view attribute_advice(std::string_view word) {
  return find(attributes, word);
}
std::string_view character_advice(char32_t character) {
  return find(characters, character);
}

}  // namespace linnet::syntax
