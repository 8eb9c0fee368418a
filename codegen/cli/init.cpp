// `linnet init DIR`: a new package with one module that checks.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "codegen/cli/command.hpp"

namespace linnet::cli {
namespace fs = std::filesystem;
namespace {

/// The folder's name as a package name: letters, digits and `_`.
std::string package_name(const fs::path& folder) {
  std::string name;
  for (const char c : fs::weakly_canonical(folder).filename().string()) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && name.empty()) name = "_";
    name += letter || digit ? c : '_';
  }
  return name.empty() ? "model" : name;
}

std::string manifest(const std::string& name) {
  return "[package]\nname = \"" + name + "\"\nversion = \"0.1.0\"\nlanguage = \"0.1\"\n";
}

std::string first_module() {
  return R"(module lib

/// A layer of its own: `y = x wᵀ + b` over the last axis.
pub block Linear<In: Dim, Out: Dim, T: Float = f32> {
    param weight: Tensor[Out, In; T]
    param bias: Tensor[Out; T]

    pub entry forward<*S: Shape>(x: Tensor[*S, In; T]) -> Tensor[*S, Out; T] {
        let y[*s, o] = sum[i] x[*s, i] * weight[o, i]
        return y + bias
    }
}
)";
}

void init(const std::string& directory) {
  if (directory.empty()) throw CommandLineError{"`` names no folder"};
  const fs::path folder = directory;
  std::error_code error;
  for (const char* name : {"linnet.toml", "src/lib.linnet"}) {
    if (fs::exists(folder / name, error)) {
      throw CommandLineError{"`" + (folder / name).string() + "` exists already"};
    }
  }
  fs::create_directories(folder / "src", error);
  if (error) {
    throw CommandLineError{"cannot make `" + (folder / "src").string() + "`: " + error.message()};
  }
  write_output((folder / "linnet.toml").string(), manifest(package_name(folder)));
  write_output((folder / "src/lib.linnet").string(), first_module());
  std::fprintf(stderr, "made the package `%s` in %s\n", package_name(folder).c_str(),
               directory.c_str());
}

}  // namespace

void add_init(CLI::App& program, Session& session) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = add_command(program, session, "init", "make a new package");
  command->add_option("DIR", *directory, "folder of the package, made if missing")->required();
  command->callback([directory] { init(*directory); });
}

}  // namespace linnet::cli
