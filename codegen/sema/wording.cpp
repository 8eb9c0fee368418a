#include "codegen/sema/wording.hpp"

#include <cstdint>
#include <limits>

#include "codegen/sema/dims/render.hpp"

namespace linnet::sema {
namespace {

template <class Integer>
std::string limits_text() {
  return std::to_string(std::numeric_limits<Integer>::min()) + " to " +
         std::to_string(std::numeric_limits<Integer>::max());
}

std::string limits_text(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::i8:
      return limits_text<std::int8_t>();
    case ir::Scalar::i16:
      return limits_text<std::int16_t>();
    case ir::Scalar::i32:
      return limits_text<std::int32_t>();
    case ir::Scalar::i64:
      return limits_text<std::int64_t>();
    case ir::Scalar::u8:
      return limits_text<std::uint8_t>();
    case ir::Scalar::u16:
      return limits_text<std::uint16_t>();
    case ir::Scalar::u32:
      return limits_text<std::uint32_t>();
    case ir::Scalar::u64:
      return limits_text<std::uint64_t>();
    case ir::Scalar::f16:
      return "-65504 to 65504";
    case ir::Scalar::bf16:
    case ir::Scalar::f32:
      return "-3.4e38 to 3.4e38";
    case ir::Scalar::f64:
      return "-1.8e308 to 1.8e308";
    case ir::Scalar::boolean:
      break;
  }
  return "`true` and `false`";
}

}  // namespace

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

std::string described(const ir::Type& type) {
  return is_pending_number(type) ? render(type) : "`" + render(type) + "`";
}

std::string cast_text(const ir::Dtype& dtype, std::string_view value) {
  return "cast<" + render(dtype) + ">(" + std::string(value) + ")";
}

std::string shape_text(const ir::Type& tensor) {
  return "[" + dims::render(tensor->shape) + "]";
}

std::string range_text(const ir::Dtype& dtype) {
  if (dtype.is_variable) return "every dtype of the generic must hold it";
  return "`" + render(dtype) + "` holds " + limits_text(dtype.scalar);
}

std::string_view prelude_form(std::string_view name) {
  if (name == "cast") return "`cast<f32>(x)`";
  if (name == "min") return "`min(a, b)`; over an axis it is `min[i] x[i]`";
  if (name == "max") return "`max(a, b)`; over an axis it is `max[i] x[i]`";
  if (name == "shl") return "`shl(x, bits)`";
  if (name == "shr") return "`shr(x, bits)`";
  if (name == "select") return "`select(cond, a, b)`";
  if (name == "reshape") return "`reshape(x, [A, B])`";
  if (name == "broadcast_to") return "`broadcast_to(x, [B, S, H])`";
  if (name == "permute") return "`permute(x, [0, 2, 1])`";
  if (name == "concat") return "`concat(a, b, axis = 0)`";
  if (name == "iota") return "`iota(N)`";
  if (name == "fill") return "`fill<f32>([A, B], v)`";
  if (name == "cumsum") return "`cumsum(x, axis = 0)`";
  if (name == "exp") return "`exp(x)`";
  if (name == "log") return "`log(x)`";
  if (name == "sqrt") return "`sqrt(x)`";
  if (name == "rsqrt") return "`rsqrt(x)`";
  if (name == "sin") return "`sin(x)`";
  if (name == "cos") return "`cos(x)`";
  if (name == "tanh") return "`tanh(x)`";
  return "`abs(x)`";
}

}  // namespace linnet::sema
