#include "codegen/sema/modules.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "codegen/sema/manifest.hpp"
#include "codegen/sema/suggest.hpp"
#include "codegen/syntax/parser.hpp"

namespace linnet::sema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view source_suffix = ".linnet";

std::string join_path(const syntax::Path& path) {
  std::string text;
  for (const syntax::Name& segment : path.segments) {
    if (!text.empty()) text += '.';
    text += segment.text;
  }
  return text;
}

fs::path absolute_of(const fs::path& path) {
  std::error_code error;
  const fs::path made = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : made;
}

/// Relative to the working directory for what was given so, absolute otherwise.
std::string shown(const fs::path& path, bool relative) {
  if (!relative) return path.generic_string();
  std::error_code error;
  const fs::path made = fs::proximate(path, error);
  return (error ? path : made).generic_string();
}

class Loader {
 public:
  Loader(syntax::SourceManager& sources, const CheckOptions& options, syntax::DiagnosticSink& sink)
      : sources_(sources), sink_(sink), std_root_(absolute_of(options.std_root)) {
    for (const auto& [path, text] : options.texts) {
      texts_.emplace(absolute_of(path).generic_string(), text);
    }
  }

  ModuleGraph load(const std::vector<std::string>& root_files) {
    std::vector<int> roots;
    for (const std::string& root : root_files) {
      const fs::path given(root);
      relative_ = given.is_relative();
      const fs::path path = absolute_of(given);
      const int found = module_at(path, root);
      if (found < 0) {
        sink_.error("E1202", {}, "cannot read `" + root + "`")
            .with_help("name a `.linnet` file that can be read");
        continue;
      }
      roots.push_back(found);
      (void)package_of(found);
      visit(found);
    }
    return finish(roots);
  }

 private:
  enum class Visit { fresh, open, done };
  struct State {
    LoadedModule module;
    fs::path path;
    Visit visit = Visit::fresh;
    std::optional<int> package;  ///< looked up at the first need; -1: there is none
  };

  /// The module of a file, read and parsed at the first call; -1 when it cannot be read.
  int module_at(const fs::path& path, const std::string& shown_path) {
    const auto known = by_path_.find(path.generic_string());
    if (known != by_path_.end()) return known->second;
    const auto given = texts_.find(path.generic_string());
    std::optional<std::string> text =
        given != texts_.end() ? std::optional<std::string>(given->second) : read_text(path);
    if (!text) return -1;
    const int id = static_cast<int>(states_.size());
    by_path_.emplace(path.generic_string(), id);
    State& state = states_.emplace_back();
    state.path = path;
    state.module.path = shown_path;
    state.module.in_std = is_below(path, std_root_);
    const syntax::SourceFile& file = sources_.add(shown_path, std::move(*text));
    state.module.file = file.id();
    state.module.ast = syntax::parse(file, ids_, sink_);
    dependencies_.push_back(shown_path);
    return id;
  }

  static bool is_below(const fs::path& path, const fs::path& root) {
    if (root.empty()) return false;
    const auto [in_root, in_path] =
        std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return in_root == root.end();
  }

  State& state(int id) { return states_[static_cast<std::size_t>(id)]; }

  /// Depth first with a stack of its own, since import chains are as long as the user likes.
  void visit(int root) {
    struct Frame {
      int module;
      std::size_t next_use;
    };
    if (state(root).visit != Visit::fresh) return;
    std::vector<Frame> stack{{root, 0}};
    state(root).visit = Visit::open;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const syntax::Module* ast = state(frame.module).module.ast.get();
      if (ast == nullptr || frame.next_use == ast->uses.size()) {
        state(frame.module).visit = Visit::done;
        order_.push_back(frame.module);
        stack.pop_back();
        continue;
      }
      const syntax::Use& use = ast->uses[frame.next_use++];
      const int importer = frame.module;
      const int target = resolve(importer, use);
      state(importer).module.use_targets.push_back(target);
      if (target < 0 || state(target).visit == Visit::done) continue;
      if (state(target).visit == Visit::open) {
        report_cycle(importer, target, use);
        // Its own items are in scope; to bring them in again would be a clash.
        if (target == importer) state(importer).module.use_targets.back() = -1;
        continue;
      }
      state(target).visit = Visit::open;
      stack.push_back({target, 0});
    }
  }

  void report_cycle(int importer, int target, const syntax::Use& use) {
    const std::string name = join_path(use.path);
    const bool itself = importer == target;
    sink_
        .error("E1206", use.span,
               itself ? "the module imports itself" : "importing `" + name + "` closes a cycle")
        .with_label(itself ? "this is the module itself"
                           : "`" + name + "` is being imported, and needs this module")
        .with_help("move what both modules need into a third one");
  }

  /// The package of a module's file, read once; null when no manifest is above it.
  const Package* package_of(int module) {
    State& own = state(module);
    if (!own.package) {
      own.package = -1;
      if (!own.module.in_std) {
        if (const auto directory = find_package(own.path.parent_path())) {
          own.package = package_at(*directory);
        }
      }
    }
    return *own.package < 0 ? nullptr : &packages_[static_cast<std::size_t>(*own.package)];
  }

  int package_at(const fs::path& directory) {
    const auto known = package_ids_.find(directory.generic_string());
    if (known != package_ids_.end()) return known->second;
    const int id = static_cast<int>(packages_.size());
    package_ids_.emplace(directory.generic_string(), id);
    const fs::path shown_directory(shown(directory, relative_));
    Package package = read_package(shown_directory, sources_, sink_);
    package.directory = directory;
    for (auto& [key, path] : package.dependencies) path = absolute_of(path);
    dependencies_.push_back((shown_directory / manifest_name).generic_string());
    packages_.push_back(std::move(package));
    return id;
  }

  /// The module that a `use` names, or -1 after a report.
  int resolve(int importer, const syntax::Use& use) {
    const std::string& first = use.path.segments.front().text;
    fs::path root;
    bool is_std = false;
    if (first == "std") {
      root = std_root_;
      is_std = true;
    } else {
      const Package* package = package_of(importer);
      if (package == nullptr) return no_package(use);
      if (first == "crate") {
        root = package->directory / "src";
      } else {
        const auto found = package->dependencies.find(first);
        if (found == package->dependencies.end()) return no_dependency(*package, use);
        root = found->second / "src";
      }
    }
    fs::path path = root;
    for (std::size_t i = 1; i < use.path.segments.size(); ++i) path /= use.path.segments[i].text;
    if (use.path.segments.size() == 1) {
      if (is_std) return no_module(use, path, fs::path());
      path /= "lib";
    }
    path += source_suffix;
    const fs::path canonical = absolute_of(path);
    const int found = module_at(canonical, shown(canonical, relative_ && !is_std));
    if (found < 0) return no_module(use, root, path);
    (void)package_of(found);  // a dependency's manifest is checked with it
    return found;
  }

  int no_package(const syntax::Use& use) {
    sink_.error("E1202", use.path.span, "no module `" + join_path(use.path) + "`")
        .with_label("no `linnet.toml` stands above this file")
        .with_help("`crate` and dependencies need a package: `linnet init DIR` makes one");
    return -1;
  }

  int no_dependency(const Package& package, const syntax::Use& use) {
    if (!package.valid) return -1;  // the manifest's own error says enough
    const syntax::Name& key = use.path.segments.front();
    std::vector<std::string> keys{"std", "crate"};
    for (const auto& [name, path] : package.dependencies) keys.push_back(name);
    syntax::Diagnostic& report =
        sink_.error("E1202", key.span, "the package has no dependency `" + key.text + "`")
            .with_label("not a key of `[dependencies]`");
    const std::string near = closest(key.text, keys);
    report.with_help(near.empty() ? "add `" + key.text + " = { path = \"...\" }` to `linnet.toml`"
                                  : "did you mean `" + near + "`?");
    return -1;
  }

  int no_module(const syntax::Use& use, const fs::path& root, const fs::path& path) {
    syntax::Diagnostic& report =
        sink_.error("E1202", use.path.span, "no module `" + join_path(use.path) + "`");
    if (path.empty()) {
      report.with_help("name a module of the standard library, as in `use std.nn.linear`");
      return -1;
    }
    report.with_label("no readable file `" + path.lexically_relative(root).generic_string() + "`");
    std::vector<std::string> siblings;
    std::error_code error;
    for (fs::directory_iterator at(path.parent_path(), error), end; !error && at != end;
         at.increment(error)) {
      if (at->path().extension() == source_suffix) siblings.push_back(at->path().stem().string());
    }
    std::sort(siblings.begin(), siblings.end());
    const std::string near = closest(path.stem().string(), siblings);
    const fs::path folder = fs::path(path).replace_extension();
    if (!near.empty()) {
      report.with_help("did you mean `" + near + "`?");
    } else if (fs::is_directory(folder, error)) {
      report.with_help("it is a folder: name a module in it, as in `use " + join_path(use.path) +
                       ".name`");
    } else {
      const bool in_std = use.path.segments.front().text == "std";
      report.with_help("looked for `" + shown(path, relative_ && !in_std) + "`");
    }
    return -1;
  }

  ModuleGraph finish(const std::vector<int>& roots) {
    std::vector<int> position(states_.size(), -1);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      position[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
    }
    const auto moved = [&](int id) { return id < 0 ? -1 : position[static_cast<std::size_t>(id)]; };
    ModuleGraph graph;
    std::set<std::string> names;
    for (const int id : order_) {
      LoadedModule& module = graph.modules.emplace_back(std::move(state(id).module));
      for (int& target : module.use_targets) target = moved(target);
      std::string name = module.ast != nullptr ? join_path(module.ast->path) : module.path;
      // Two files may carry one `module` line; full names stay unique all the same.
      std::string unique = name;
      for (int copy = 2; !names.insert(unique).second; ++copy) {
        unique = name + "_" + std::to_string(copy);
      }
      module.name = std::move(unique);
    }
    for (const int root : roots) graph.roots.push_back(moved(root));
    graph.dependencies = std::move(dependencies_);
    return graph;
  }

  syntax::SourceManager& sources_;
  syntax::DiagnosticSink& sink_;
  fs::path std_root_;
  std::unordered_map<std::string, std::string> texts_;
  bool relative_ = false;
  syntax::NodeIds ids_;
  std::vector<State> states_;
  std::vector<int> order_;
  std::unordered_map<std::string, int> by_path_;
  std::vector<Package> packages_;
  std::unordered_map<std::string, int> package_ids_;
  std::vector<std::string> dependencies_;
};

}  // namespace

ModuleGraph load_modules(syntax::SourceManager& sources, const std::vector<std::string>& root_files,
                         const CheckOptions& options, syntax::DiagnosticSink& sink) {
  return Loader(sources, options, sink).load(root_files);
}

}  // namespace linnet::sema
