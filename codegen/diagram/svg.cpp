#include <fmt/format.h>

#include <iterator>

#include "codegen/diagram/escape.hpp"
#include "codegen/diagram/measure.hpp"
#include "codegen/diagram/outline.hpp"
#include "codegen/diagram/theme.hpp"
#include "codegen/diagram/write.hpp"

namespace linnet::diagram {
namespace {

std::string path_data(const Path& path) {
  std::string data = fmt::format("M{} {}", path.start.x, path.start.y);
  for (const Stroke& stroke : path.strokes) {
    if (stroke.curved) {
      data += fmt::format("C{} {} {} {} {} {}", stroke.first.x, stroke.first.y, stroke.second.x,
                          stroke.second.y, stroke.to.x, stroke.to.y);
    } else {
      data += fmt::format("L{} {}", stroke.to.x, stroke.to.y);
    }
  }
  return path.closed ? data + "Z" : data;
}

class SvgWriter {
 public:
  SvgWriter(const Graph& graph, const Layout& layout, Theme theme)
      : graph_(graph), layout_(layout), theme_(theme), colours_(colours_of(theme)) {}

  std::string write() {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
        "font-size=\"{2}\">",
        layout_.width, layout_.height, title_size);
    line("<rect width=\"{}\" height=\"{}\" fill=\"#{}\"/>", layout_.width, layout_.height,
         colours_.background);
    regions();
    lines();
    nodes();
    labels();
    line("</svg>");
    return std::move(out_);
  }

 private:
  const Graph& graph_;
  const Layout& layout_;
  const Theme theme_;
  const Colours& colours_;
  std::string out_;

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void regions() {
    const std::vector<int> depths = cluster_depths(graph_);
    line("<g stroke=\"#{}\">", colours_.region_stroke);
    for (std::size_t c = 1; c < layout_.clusters.size(); ++c) {
      const Box& box = layout_.clusters[c];
      line("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#{}\"/>", box.x,
           box.y, box.width, box.height, colours_.region_fill[(depths[c] + 1) % 2]);
    }
    line("</g>");
  }

  void lines() {
    line("<g fill=\"none\" stroke=\"#{}\" stroke-width=\"1.2\">", colours_.line);
    for (const Line& each : layout_.lines) {
      if (each.kind == EdgeKind::data) line("<path d=\"{}\"/>", path_data(line_path(each)));
    }
    line("</g>");
    line("<g fill=\"none\" stroke=\"#{}\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\">",
         colours_.faint_line);
    for (const Line& each : layout_.lines) {
      if (each.kind != EdgeKind::data) line("<path d=\"{}\"/>", path_data(line_path(each)));
    }
    line("</g>");
    arrows(colours_.line, true);
    arrows(colours_.faint_line, false);
  }

  void arrows(std::string_view colour, bool data) {
    line("<g fill=\"#{}\">", colour);
    for (const Line& each : layout_.lines) {
      if (!each.arrow || (each.kind == EdgeKind::data) != data) continue;
      line("<path d=\"{}\"/>", path_data(arrow_head(each.to)));
    }
    line("</g>");
  }

  void nodes() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      const Box& box = layout_.nodes[i];
      const Paint paint = paint_of(node.kind, theme_);
      line("<g text-anchor=\"middle\" fill=\"#{}\">", colours_.text);
      for (const Path& path : outline_paths(outline_of(node.kind), box)) {
        line("<path d=\"{}\" fill=\"{}\" stroke=\"#{}\"/>", path_data(path),
             path.closed ? "#" + std::string(paint.fill) : "none", paint.stroke);
      }
      if (!node.title.empty()) text(node, box);
      line("</g>");
    }
  }

  void text(const Node& node, const Box& box) {
    const int middle = box.x + box.width / 2;
    int y = box.y + first_baseline(node);
    line("<text x=\"{}\" y=\"{}\">{}</text>", middle, y, escape_xml(node.title));
    for (const std::string& detail : node.details) {
      y += detail_height;
      line("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#{}\">{}</text>", middle, y,
           detail_size, colours_.muted, escape_xml(detail));
    }
  }

  void labels() {
    line("<g font-size=\"{}\" fill=\"#{}\">", detail_size, colours_.muted);
    for (std::size_t c = 1; c < layout_.clusters.size(); ++c) {
      const Point& at = layout_.cluster_labels[c];
      line("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>", at.x, at.y,
           escape_xml(graph_.clusters[c].label));
    }
    for (const ValueLabel& label : layout_.labels) {
      line("<text x=\"{}\" y=\"{}\">{}</text>", label.at.x, label.at.y, escape_xml(label.text));
    }
    line("</g>");
  }
};

}  // namespace

std::string write_svg(const Graph& graph, const Layout& layout, Theme theme) {
  return SvgWriter(graph, layout, theme).write();
}

}  // namespace linnet::diagram
