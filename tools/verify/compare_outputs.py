# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls a function of a solution on each line of inputs.jsonl.

usage: compare_outputs.py MODULE FUNCTION RESULTS
A line that is a list holds the arguments, any other value is the only one. A result is written as
soon as it is there, as "CODE BYTES\n", the text and "\n"; code 127: there is no such function.
Equal values get equal texts: without the order of sets and dictionaries, without addresses, floats
to 12 digits (the order of a sum is nobody's fault).
"""

import hashlib
import importlib
import itertools
import json
import os
import re
import sys

LONGEST = 8192
MOST_ITEMS = 10_000


def shown(value):
    if isinstance(value, float) and type(value) is float:
        return repr(float(f"{value:.12g}")) if value else "0.0"
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        inner = ", ".join(map(shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, (set, frozenset)):
        return type(value).__name__ + "{" + ", ".join(sorted(map(shown, value))) + "}"
    if isinstance(value, dict):
        pairs = sorted(f"{shown(key)}: {shown(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if hasattr(value, "__next__"):
        return "iterator" + shown(list(itertools.islice(value, MOST_ITEMS)))
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def result_of(function, value):
    try:
        return shown(function(*value) if isinstance(value, list) else function(value))
    except BaseException as error:  # whatever it raises is its result
        return "raises " + type(error).__name__


def main():
    module, name, out = sys.argv[1:]
    with open("inputs.jsonl", encoding="utf-8") as file:
        inputs = [json.loads(line) for line in file]
    results = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(code, text):
        raw = text.encode("utf-8", "backslashreplace")
        if len(raw) > LONGEST:
            digest = hashlib.sha256(raw).hexdigest()
            raw = raw[:LONGEST] + f" … ({len(raw)} bytes, sha256 {digest})".encode()
        os.write(results, b"%d %d\n%s\n" % (code, len(raw), raw))

    function = getattr(importlib.import_module(module), name, None)
    for value in inputs:
        if callable(function):
            write(0, result_of(function, value))
        else:
            write(127, f"{module} has no function {name}")


main()
