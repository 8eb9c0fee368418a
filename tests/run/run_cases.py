#!/usr/bin/env python3
"""Runs the numeric conformance cases: each NAME.linnet through `linnet` and a C++ compiler.

For every case a small driver calls the entry through its run-time interface. Generics of the
entry become bounded symbols, the bound being the largest value that a call gives them; shape
packs have the rank of the call; dtypes that of the input. Several cases share a translation
unit. What the compiler says is not implemented (E2190) is listed as unsupported, with the reason.
With --no-optimize the programs are compiled as they were lowered, and must give the same bits as
in the run whose digests --same-as names: the optimiser changes no result of `exact`.

Exit status: 0 when no supported case fails.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

CPP_TYPES = {
    "bool": "bool", "i8": "std::int8_t", "i16": "std::int16_t", "i32": "std::int32_t",
    "i64": "std::int64_t", "u8": "std::uint8_t", "u16": "std::uint16_t", "u32": "std::uint32_t",
    "u64": "std::uint64_t", "f16": "linnet::f16", "bf16": "linnet::bf16", "f32": "float",
    "f64": "double",
}


class Skipped(Exception):
    """A case that cannot be driven, with the reason."""


def namespace(module):
    """The C++ namespace of a module that is not the library's."""
    return "::".join(cpp_name(part) for part in module.split("."))


KEYWORDS = {"class", "default", "float", "double", "int", "char", "new", "operator", "register",
            "template", "union", "switch", "case", "short", "long", "signed", "unsigned"}


def cpp_name(name):
    return name + "_" if name in KEYWORDS else name


class Program:
    """What a plan tells about an entry."""

    def __init__(self, plan, case):
        self.plan = plan
        self.case = case
        self.structs = {(s["module"], s["name"]): s for s in plan.get("structs", [])}
        module = plan["module"]
        root = case["root"]
        wanted = f"{module}::{root}.{case['entry']}" if root else f"{module}::{case['entry']}"
        found = [f for f in plan["functions"] if f["name"] == wanted]
        if not found:
            raise Skipped(f"no entry {wanted}")
        self.entry = found[0]

    def leaves(self, type_):
        """(units, dtype) of every tensor of a type, in order."""
        kind = type_["kind"]
        if kind == "enum":
            return [([], "i32")]
        if kind == "scalar":
            return [([], type_["dtype"])]
        if kind == "tensor":
            return [(type_["shape"], type_["dtype"])]
        if kind == "optional":
            return self.leaves(type_["inner"])
        if kind == "tuple":
            return [leaf for element in type_["elements"] for leaf in self.leaves(element)]
        if kind == "struct":
            struct = self.structs[(type_["module"], type_["name"])]
            bound = {}
            for generic, argument in zip(struct["generics"], type_["args"]):
                bound[("var" if generic["kind"] == "dtype" else "sym",
                       generic.get("var", generic.get("sym")))] = argument
            return [leaf for field in struct["fields"]
                    for leaf in self.leaves(substitute(field["type"], bound))]
        raise Skipped(f"an input of kind {kind}")

    def inputs(self):
        return [arg for arg in self.entry["body"]["args"] if arg["type"]["kind"] != "block"]


def substitute(node, bound):
    """A type or dimension with a struct's generics replaced by its arguments."""
    if isinstance(node, list):
        out = []
        for item in node:
            if isinstance(item, dict) and "pack" in item and ("sym", item["pack"]) in bound:
                out.extend(bound[("sym", item["pack"])]["shape"])
            else:
                out.append(substitute(item, bound))
        return out
    if isinstance(node, dict):
        if "sym" in node and ("sym", node["sym"]) in bound:
            return bound[("sym", node["sym"])]["dim"]
        if "var" in node and "class" not in node and ("var", node["var"]) in bound:
            return bound[("var", node["var"])]["dtype"]
        return {key: substitute(value, bound) for key, value in node.items()}
    return node


def given_tensors(value):
    return value if isinstance(value, list) else [value]


def match_call(program, call):
    """What a call binds: symbols to extents, packs to lists of extents, variables to dtypes."""
    symbols, packs, dtypes, loose = {}, {}, {}, []
    for arg in program.inputs():
        if arg["name"] not in call["inputs"]:
            continue
        leaves = program.leaves(arg["type"])
        tensors = given_tensors(call["inputs"][arg["name"]])
        for (units, dtype), tensor in zip(leaves, tensors):
            if isinstance(dtype, dict):
                dtypes.setdefault(dtype["var"], tensor["dtype"])
            shape = tensor["shape"]
            loose.extend(shape)
            pack = next((i for i, u in enumerate(units) if isinstance(u, dict) and "pack" in u), None)
            if pack is None:
                pairs = list(zip(units, shape))
                if len(units) != len(shape):
                    continue
            else:
                after = len(units) - pack - 1
                if len(shape) < pack + after:
                    continue
                end = len(shape) - after
                packs.setdefault(units[pack]["pack"], shape[pack:end])
                pairs = list(zip(units[:pack], shape[:pack])) + list(
                    zip(units[pack + 1:], shape[end:]))
            for unit, extent in pairs:
                if isinstance(unit, dict) and "sym" in unit:
                    symbols[unit["sym"]] = max(symbols.get(unit["sym"], 0), extent)
    return symbols, packs, dtypes, max(loose, default=1)


def generic_argument(generic, value):
    """C++ for a generic that the case binds."""
    if isinstance(value, str):
        return CPP_TYPES[value]
    if isinstance(value, list):
        return "linnet::Shape<" + ", ".join(str(v) for v in value) + ">"
    return str(value)


def default_argument(generic):
    default = generic.get("default")
    if default is None:
        raise Skipped(f"generic {generic['name']} is not bound")
    if "dim" in default and isinstance(default["dim"], int):
        return str(default["dim"])
    if "dtype" in default and isinstance(default["dtype"], str):
        return CPP_TYPES[default["dtype"]]
    raise Skipped(f"the default of generic {generic['name']}")


def entry_arguments(program, calls):
    """Template arguments of the entry, one list for each call."""
    case = program.case
    matched = [match_call(program, call) for call in calls]
    bounds = {}
    for symbols, _, _, _ in matched:
        for symbol, value in symbols.items():
            bounds[symbol] = max(bounds.get(symbol, 0), value)
    pack_bounds = {}
    for _, packs, _, _ in matched:
        for pack, extents in packs.items():
            known = pack_bounds.setdefault((pack, len(extents)), [0] * len(extents))
            pack_bounds[(pack, len(extents))] = [max(a, b) for a, b in zip(known, extents)]
    result = []
    for _, packs, dtypes, loose in matched:
        arguments = []
        for generic in program.entry["generics"]:
            name = generic["name"]
            if name in case.get("entry_bind", {}):
                arguments.append(generic_argument(generic, case["entry_bind"][name]))
            elif generic["kind"] == "dtype":
                if generic["var"] in dtypes:
                    arguments.append(CPP_TYPES[dtypes[generic["var"]]])
                else:
                    arguments.append(default_argument(generic))
            elif generic["kind"] == "shape":
                extents = packs.get(generic["sym"], [])
                largest = pack_bounds.get((generic["sym"], len(extents)), [])
                arguments.append("linnet::Shape<" + ", ".join(
                    f'linnet::symbol<"{name}{i}", {bound}>'
                    for i, bound in enumerate(largest)) + ">")
            else:
                bound = bounds.get(generic["sym"], loose)
                arguments.append(f'linnet::symbol<"{name}", {bound}>')
        result.append(arguments)
    return result


def driver(program, name, numerics):
    """C++ of the function that runs one case."""
    case = program.case
    space = namespace(program.plan["module"])
    calls = case["calls"]
    arguments = entry_arguments(program, calls)
    entry = cpp_name(case["entry"])
    lines = [f"void run_{name}(linnet::test::Case& running) {{"]
    if case["root"]:
        block = program.plan["blocks"][case["root"]]
        bound = [generic_argument(g, case["bind"][g["name"]]) if g["name"] in case["bind"]
                 else default_argument(g) for g in block["generics"]]
        model = f"{space}::{cpp_name(case['root'])}" + (f"<{', '.join(bound)}>" if bound else "")
        lines += [
            f"  using Model = {model};",
            "  auto loaded = linnet::weights::load<Model>(running.weights(), running.bindings());",
            "  if (!loaded) return running.fail_all(loaded.error());",
        ]
    for number, list_ in enumerate(arguments):
        template = ", ".join(list_ + [f"linnet::Numerics::{numerics}"])
        if case["root"]:
            size = f"Model::template {entry}_workspace_bytes<{template}>"
            call = f"(*loaded)->template {entry}_dynamic<{template}>(context, inputs)"
        else:
            size = f"{space}::{entry}_workspace_bytes<{template}>"
            call = f"{space}::{entry}_dynamic<{template}>(context, inputs)"
        lines += [
            f"  running.call({number}, {size}, [&]([[maybe_unused]] linnet::Context& context,",
            "      const linnet::ops::Inputs& inputs) {",
            f"    return {call};",
            "  });",
        ]
    lines.append("}")
    return "\n".join(lines)


def launcher():
    """`ccache` where there is one: the cases share most of what they include."""
    return ["ccache"] if shutil.which("ccache") else []


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class Runner:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.here = pathlib.Path(__file__).resolve().parent
        self.source = self.here.parent.parent
        self.unsupported = {}
        self.failed = {}
        self.passed = {}  # name to digest of the results

    def generate(self, name):
        """Header and driver of a case; None when it is unsupported."""
        source = pathlib.Path(self.options.cases) / f"{name}.linnet"
        case = json.loads(source.with_suffix(".json").read_text())
        header = self.work / f"{name}.linnet.hpp"
        made = self.write_header(source, header)
        if made.returncode != 0:
            text = re.sub(r"\x1b\[[0-9;]*m", "", made.stderr).strip()
            first = next((l for l in text.splitlines() if "error" in l), text[:200])
            if "E2190" in text:
                self.unsupported[name] = first
            else:
                self.failed[name] = first
            return None
        plan = run([self.options.linnet, "plan", str(source)])
        if plan.returncode != 0:
            self.failed[name] = "linnet plan: " + plan.stderr.strip()[:200]
            return None
        try:
            return driver(Program(json.loads(plan.stdout), case), name, self.options.numerics)
        except Skipped as reason:
            self.unsupported[name] = str(reason)
            return None

    def write_header(self, source, header):
        """Through a plan where it is to be left unoptimised: `cpp` takes plans as they are."""
        if not self.options.no_optimize:
            return run([self.options.linnet, "cpp", str(source), "-o", str(header)])
        plan = header.with_suffix(".plan.json")
        made = run([self.options.linnet, "plan", "--no-optimize", str(source), "-o", str(plan)])
        if made.returncode != 0:
            return made
        return run([self.options.linnet, "cpp", str(plan), "-o", str(header)])

    def flags(self):
        include = self.source / "include"
        return ["-std=c++20", *self.options.flags.split(), "-ffp-contract=off", f"-I{include}",
                f"-I{self.here}", f"-I{self.work}"]

    def compile(self, source, output):
        command = [*launcher(), *self.options.compiler.split(), *self.flags(), "-c", str(source), "-o",
                   str(output)]
        return run(command)

    def build_group(self, group):
        """An object file for several cases; on failure each case alone, to name the culprit."""
        names = [name for name, _ in group]
        digest = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
        source = self.work / f"group_{digest}.cpp"
        text = ['#include "case_runner.hpp"', '#include "linnet/weights/load.hpp"']
        text += [f'#include "{name}.linnet.hpp"' for name in names]
        text += [code for _, code in group]
        source.write_text("\n".join(text) + "\n")
        output = source.with_suffix(".o")
        made = self.compile(source, output)
        if made.returncode == 0:
            return [(names, output)]
        if len(group) > 1:
            return [built for one in group for built in self.build_group([one])]
        error = next((l for l in made.stderr.splitlines() if "error" in l), made.stderr[:300])
        self.failed[names[0]] = "does not compile: " + error.replace(str(self.work) + "/", "")
        (self.work / f"{names[0]}.log").write_text(made.stderr)
        return []

    def main(self):
        options = self.options
        names = sorted(p.stem for p in pathlib.Path(options.cases).glob("*.linnet"))
        if options.only:
            names = [n for n in names if re.search(options.only, n)]
        if not names:
            print("no cases found in", options.cases)
            return 77  # CTest: skipped
        drivers = [(name, code) for name in names if (code := self.generate(name)) is not None]
        size = options.group
        groups = [drivers[i:i + size] for i in range(0, len(drivers), size)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runner_object = self.work / "case_runner.o"
            main_made = pool.submit(self.compile, self.here / "case_runner.cpp", runner_object)
            built = [b for result in pool.map(self.build_group, groups) for b in result]
            if main_made.result().returncode != 0:
                print(main_made.result().stderr)
                return 1
        compiled = sorted(name for names_, _ in built for name in names_)
        table = ['#include "case_runner.hpp"', "#include <cstddef>"]
        table += [f"void run_{name}(linnet::test::Case&);" for name in compiled]
        table.append("namespace linnet::test {")
        table.append("extern const CaseEntry case_entries[];")
        table.append("extern const std::size_t case_count;")
        entries = [f'{{"{name}", run_{name}}}' for name in compiled] + ['{"", nullptr}']
        table.append("const CaseEntry case_entries[] = {" + ", ".join(entries) + "};")
        table.append(f"const std::size_t case_count = {len(compiled)};")
        table.append("}")
        table_source = self.work / "table.cpp"
        table_source.write_text("\n".join(table) + "\n")
        made = self.compile(table_source, self.work / "table.o")
        if made.returncode != 0:
            print(made.stderr)
            return 1
        program = self.work / "run_cases"
        linked = run([*options.compiler.split(), *options.flags.split(), str(runner_object), str(self.work / "table.o"),
                      *[str(o) for _, o in built], "-o", str(program), "-pthread"])
        if linked.returncode != 0:
            print(linked.stderr[:3000])
            return 1
        self.execute(program, compiled)
        if options.same_as:
            self.compare_digests()
        return self.report(names)

    def execute(self, program, compiled):
        finished = run([str(program), str(self.options.cases)], timeout=600)
        seen = set()
        for line in finished.stdout.splitlines():
            if line.startswith("pass "):
                name, digest = line[5:].split()
                self.passed[name] = digest
                seen.add(name)
            elif line.startswith("FAIL "):
                name, _, what = line[5:].partition(": ")
                self.failed[name] = what
                seen.add(name)
        (self.work / "digests.json").write_text(json.dumps(self.passed))
        missing = [name for name in compiled if name not in seen]
        for name in missing:
            self.failed[name] = f"the program stopped (status {finished.returncode}): " + (
                finished.stderr.strip().splitlines() or ["no message"])[-1]

    def compare_digests(self):
        """Cases that pass, but not with the bits of the other run."""
        other = json.loads(pathlib.Path(self.options.same_as).read_text())
        for name, digest in list(self.passed.items()):
            if digest != other.get(name, digest):
                del self.passed[name]
                self.failed[name] = "the results differ in bits from those of the optimised program"

    def report(self, names):
        width = max(len(name) for name in names)
        for name in sorted(self.unsupported):
            print(f"unsupported  {name:<{width}}  {self.unsupported[name]}")
        for name in sorted(self.failed):
            print(f"FAILED       {name:<{width}}  {self.failed[name]}")
        print(f"{len(self.passed)} passed, {len(self.failed)} failed, "
              f"{len(self.unsupported)} unsupported of {len(names)} cases "
              f"({self.options.numerics} numerics)")
        return 1 if self.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linnet", required=True, help="the compiler")
    parser.add_argument("--cases", required=True, help="folder of NAME.linnet and NAME.json")
    parser.add_argument("--work", required=True, help="folder for what is generated and built")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--flags", default="-O1 -Wall -Wextra", help="of the C++ compiler")
    parser.add_argument("--numerics", default="exact", choices=["exact", "equivalent", "fast"])
    parser.add_argument("--no-optimize", action="store_true", help="as the programs were lowered")
    parser.add_argument("--same-as", help="digests.json of a run that must give the same bits")
    parser.add_argument("--only", help="a regular expression that names must match")
    parser.add_argument("--group", type=int, default=6, help="cases in a translation unit")
    parser.add_argument("--jobs", type=int, default=2)
    return Runner(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
