"""The Python environment of the scripts that need third-party packages.

It lives in $LINNET_CACHE/venv (default: ~/.cache/linnet/venv) and is made when first needed. A
script calls `ensure` before its imports and goes on inside the environment.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys


def cache_folder() -> pathlib.Path:
    configured = os.environ.get("LINNET_CACHE")
    return pathlib.Path(configured) if configured else pathlib.Path.home() / ".cache" / "linnet"


def ensure(packages: dict[str, str], build: dict[str, str] | None = None) -> None:
    """Makes the modules of `packages` (module: requirement) importable, or ends with the reason.

    Where one is missing, it is installed into the environment, with the variables `build` set, and
    the script starts again there.
    """
    if not _missing(packages):
        return
    folder = cache_folder() / "venv"
    python = folder / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() != folder.resolve():
        if not python.exists():
            _say(f"making a Python environment in {folder}")
            _run([sys.executable, "-m", "venv", str(folder)])
        os.execv(python, [str(python), *sys.argv])
    requirements = [packages[module] for module in _missing(packages)]
    _say("installing " + ", ".join(requirements) + " (minutes where something is compiled)")
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", *requirements]
    _run(command, {**os.environ, **(build or {})})
    os.execv(python, [str(python), *sys.argv])


def _missing(packages: dict[str, str]) -> list[str]:
    return [module for module in packages if importlib.util.find_spec(module) is None]


def _run(command: list[str], variables: dict[str, str] | None = None) -> None:
    result = subprocess.run(command, stdout=sys.stderr, env=variables, check=False)
    if result.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: `{' '.join(command)}` failed")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
