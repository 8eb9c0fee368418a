#!/usr/bin/env python3
"""Usage: check_quotes.py ROOT

Every fenced block in a Markdown file of the repository that follows a line

    <!-- quotes PATH -->

must occur in that file, word for word. Prints what does not, and the number of blocks."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pattern = re.compile(r"<!-- quotes (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
blocks, wrong = 0, []
documents = [root / "README.md", *root.glob("docs/*.md"), *root.glob("examples/*/README.md"),
             *root.glob("codegen/*.md")]
for document in documents:
    text = document.read_text()
    found = pattern.findall(text)
    name = document.relative_to(root)
    if len(found) != text.count("<!-- quotes "):
        wrong.append(f"{name}: a `quotes` line has no fenced block after it")
    for path, block in found:
        blocks += 1
        if not (root / path).is_file():
            wrong.append(f"{name}: {path} does not exist")
        elif block not in (root / path).read_text():
            wrong.append(f"{name}: {path} does not say:\n{block}")
for problem in wrong:
    print(problem)
print(f"{blocks} quoted blocks, {len(wrong)} problems")
if wrong or not blocks:
    sys.exit(1)
