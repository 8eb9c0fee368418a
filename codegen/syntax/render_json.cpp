#include <nlohmann/json.hpp>

#include "codegen/syntax/render.hpp"

namespace linnet::syntax {
namespace {

using Json = nlohmann::ordered_json;

Json position_json(const Position& position) {
  return {{"line", position.line}, {"column", position.column}, {"offset", position.offset}};
}

Json location_json(Span span, const SourceManager& sources) {
  if (!span.valid()) return nullptr;
  const SourceFile& file = sources.file(span.file);
  return {{"file", file.path()},
          {"start", position_json(file.position(span.begin))},
          {"end", position_json(file.position(span.end))}};
}

}  // namespace

std::string render_json(const std::vector<Diagnostic>& diagnostics, const SourceManager& sources) {
  Json list = Json::array();
  int errors = 0;
  int warnings = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool error = diagnostic.severity == Severity::error;
    ++(error ? errors : warnings);
    Json related = Json::array();
    for (const RelatedSpan& place : diagnostic.related) {
      related.push_back(
          {{"message", place.message}, {"location", location_json(place.span, sources)}});
    }
    list.push_back({{"code", diagnostic.code},
                    {"severity", error ? "error" : "warning"},
                    {"message", diagnostic.message},
                    {"label", diagnostic.label},
                    {"location", location_json(diagnostic.span, sources)},
                    {"related", std::move(related)},
                    {"notes", diagnostic.notes},
                    {"help", diagnostic.help}});
  }
  const Json document = {{"version", 1},
                         {"diagnostics", std::move(list)},
                         {"summary", {{"errors", errors}, {"warnings", warnings}}}};
  // Messages may quote text that is not UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace linnet::syntax
