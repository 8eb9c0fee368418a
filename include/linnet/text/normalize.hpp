// Unicode normalization form C, which the tokenizers of some families apply first.
#pragma once

#include <utf8proc.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace linnet::text {

/// `out` becomes the NFC of `text`, which is valid UTF-8. False, with `why` set, on failure.
[[nodiscard]] inline bool normalize_nfc(std::string_view text, std::string& out, std::string& why) {
  // Nothing below U+0300 changes under NFC: its lead bytes are under 0xCC.
  bool plain = true;
  for (const char c : text) plain = plain && static_cast<unsigned char>(c) < 0xCC;
  if (plain) {
    out.assign(text);
    return true;
  }
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) {
    why = std::string("normalization: ") + utf8proc_errmsg(size);
    return false;
  }
  out.assign(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
  std::free(made);  // utf8proc allocates with malloc
  return true;
}

}  // namespace linnet::text
