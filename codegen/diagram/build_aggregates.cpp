// Tuples, structs and optionals: no boxes, lines go to and from their parts.

#include "codegen/diagram/builder.hpp"
#include "codegen/diagram/label.hpp"

namespace linnet::diagram {

void Builder::make_tuple(const ir::Op& op, Frame& frame) {
  auto made = std::make_shared<Bound>();
  for (const int id : op.operands) made->parts.push_back(value(frame, id));
  if (made->parts.empty()) made->text = {"()"};
  bind(frame, op.results[0], std::move(made));
}

void Builder::get_part(const ir::Op& op, Frame& frame) {
  const BoundPtr& whole = value(frame, op.operands[0]);
  const auto* position = std::get_if<std::int64_t>(&op.attrs.value);
  const bool has_part = position != nullptr && *position >= 0 &&
                        static_cast<std::size_t>(*position) < whole->parts.size();
  // A struct that came in whole: its parts are read from where it is.
  bind(frame, op.results[0], has_part ? whole->parts[static_cast<std::size_t>(*position)] : whole);
}

}  // namespace linnet::diagram
