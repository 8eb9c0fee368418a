#include <fmt/format.h>

#include <array>
#include <iterator>

#include "codegen/diagram/escape.hpp"
#include "codegen/diagram/measure.hpp"
#include "codegen/diagram/outline.hpp"
#include "codegen/diagram/theme.hpp"
#include "codegen/diagram/write.hpp"

namespace linnet::diagram {
namespace {

constexpr auto all_kinds = std::to_array({
    NodeKind::input,
    NodeKind::output,
    NodeKind::call,
    NodeKind::arithmetic,
    NodeKind::view,
    NodeKind::reduction,
    NodeKind::parameter,
    NodeKind::read,
    NodeKind::write,
    NodeKind::branch,
    NodeKind::carried,
    NodeKind::next,
    NodeKind::constant,
    NodeKind::joint,
});

/// One pixel of the layout is 0.75 pt; y goes down.
std::string point(Point at) {
  return fmt::format("({},{})", at.x, at.y);
}

std::string path_text(const Path& path) {
  std::string text = point(path.start);
  for (const Stroke& stroke : path.strokes) {
    text += stroke.curved ? " .. controls " + point(stroke.first) + " and " + point(stroke.second) +
                                " .. " + point(stroke.to)
                          : " -- " + point(stroke.to);
  }
  return path.closed ? text + " -- cycle" : text;
}

class TikzWriter {
 public:
  TikzWriter(const Graph& graph, const Layout& layout, Theme theme)
      : graph_(graph), layout_(layout), theme_(theme), colours_(colours_of(theme)) {}

  std::string write() {
    line("\\documentclass[tikz,border=0pt]{{standalone}}");
    colours();
    line("\\begin{{document}}");
    line("\\begin{{tikzpicture}}[x=0.75pt,y=-0.75pt,line width=0.6pt,inner sep=0pt,outer sep=0pt,");
    line("  title/.style={{font=\\sffamily\\fontsize{{9}}{{11}}\\selectfont,text=text}},");
    line("  detail/.style={{font=\\sffamily\\fontsize{{8}}{{10}}\\selectfont,text=muted}}]");
    line("\\fill[background] (0,0) rectangle ({},{});", layout_.width, layout_.height);
    regions();
    lines();
    nodes();
    labels();
    line("\\end{{tikzpicture}}");
    line("\\end{{document}}");
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

  void define(const std::string& name, std::string_view colour) {
    std::string upper(colour);
    for (char& c : upper) {
      if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
    }
    line("\\definecolor{{{}}}{{HTML}}{{{}}}", name, upper);
  }

  static std::string kind_name(NodeKind kind) {
    return "kind" + std::string(1, static_cast<char>('A' + static_cast<int>(kind)));
  }

  void colours() {
    define("background", colours_.background);
    define("text", colours_.text);
    define("muted", colours_.muted);
    define("line", colours_.line);
    define("faint", colours_.faint_line);
    define("region", colours_.region_stroke);
    define("regionodd", colours_.region_fill[0]);
    define("regioneven", colours_.region_fill[1]);
    for (const NodeKind kind : all_kinds) {
      const Paint paint = paint_of(kind, theme_);
      define(kind_name(kind), paint.fill);
      define(kind_name(kind) + "line", paint.stroke);
    }
  }

  void regions() {
    const std::vector<int> depths = cluster_depths(graph_);
    for (std::size_t c = 1; c < layout_.clusters.size(); ++c) {
      const Box& box = layout_.clusters[c];
      line("\\filldraw[draw=region,fill={},rounded corners=4pt] ({},{}) rectangle ({},{});",
           depths[c] % 2 == 1 ? "regionodd" : "regioneven", box.x, box.y, box.x + box.width,
           box.y + box.height);
    }
  }

  void lines() {
    for (const Line& each : layout_.lines) {
      const bool data = each.kind == EdgeKind::data;
      line("\\draw[{}] {};", data ? "line" : "faint,dashed", path_text(line_path(each)));
      if (each.arrow) {
        line("\\fill[{}] {};", data ? "line" : "faint", path_text(arrow_head(each.to)));
      }
    }
  }

  void nodes() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      const Box& box = layout_.nodes[i];
      const std::string colour = kind_name(node.kind);
      for (const Path& path : outline_paths(outline_of(node.kind), box)) {
        line("\\{}[draw={}line{}] {};", path.closed ? "filldraw" : "draw", colour,
             path.closed ? ",fill=" + colour : "", path_text(path));
      }
      if (node.title.empty()) continue;
      const int middle = box.x + box.width / 2;
      int y = box.y + first_baseline(node);
      line("\\node[title,anchor=base] at ({},{}) {{{}}};", middle, y, escape_tex(node.title));
      for (const std::string& detail : node.details) {
        y += detail_height;
        line("\\node[detail,anchor=base] at ({},{}) {{{}}};", middle, y, escape_tex(detail));
      }
    }
  }

  void labels() {
    for (std::size_t c = 1; c < layout_.clusters.size(); ++c) {
      const Point& at = layout_.cluster_labels[c];
      line("\\node[detail,anchor=base west] at ({},{}) {{\\bfseries {}}};", at.x, at.y,
           escape_tex(graph_.clusters[c].label));
    }
    for (const ValueLabel& label : layout_.labels) {
      line("\\node[detail,anchor=base west] at ({},{}) {{{}}};", label.at.x, label.at.y,
           escape_tex(label.text));
    }
  }
};

}  // namespace

std::string write_tikz(const Graph& graph, const Layout& layout, Theme theme) {
  return TikzWriter(graph, layout, theme).write();
}

}  // namespace linnet::diagram
