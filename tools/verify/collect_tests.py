# SPDX-License-Identifier: GPL-3.0-or-later
"""Says which tests a file holds, with a stand-in for the solution that does nothing.

usage: collect_tests.py TESTS MODULE OUT PYTEST-ARGUMENT...
Writes JSON: {"error": {"kind", "text"}} or {"exact", "names", "least", "skippable", "may_skip"}.
`exact` is false where the tests use the solution while they are collected: then only `least`, the
number that the source itself shows, can be relied upon.
"""

import ast
import json
import re
import sys
import types

import pytest

used = []


class StandIn:
    """Takes the place of whatever a test imports from the solution."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)  # pytest looks for its own marks on everything
        used.append(name)
        return StandIn()

    def __call__(self, *args, **kwargs):
        used.append("call")
        return StandIn()

    def __iter__(self):
        used.append("iter")
        return iter(())

    def __mro_entries__(self, bases):
        used.append("base")
        return (object,)

    def __bool__(self):
        used.append("bool")
        return True


def operation(name, value):
    def method(self, *args):
        used.append(name)
        return StandIn() if value is StandIn else value

    return method


for each in ("add radd sub rsub mul rmul truediv rtruediv floordiv mod pow and or xor neg pos "
             "invert abs getitem enter").split():
    setattr(StandIn, f"__{each}__", operation(each, StandIn))
for each, value in {"len": 0, "int": 0, "index": 0, "float": 0.0, "lt": True, "le": True,
                    "gt": True, "ge": True, "contains": False, "setitem": None,
                    "exit": None}.items():
    setattr(StandIn, f"__{each}__", operation(each, value))


class Solution(types.ModuleType):
    def __getattr__(self, name):
        if name == "__all__":
            used.append(name)  # nobody knows what a star brings
            return []
        if name.startswith("__"):
            raise AttributeError(name)  # a module, no package, and of no file
        if name.startswith("test"):
            used.append(name)  # it would count as a test itself
        return StandIn()


def is_fixture(function):
    return any("fixture" in ast.dump(mark) for mark in function.decorator_list)


def tests_in(body):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in body if isinstance(node, kinds)
            and node.name.startswith("test") and not is_fixture(node)}


def least_tests(tree, text):
    """How many tests there are at the least, by the source alone."""
    if "__test__" in text:
        return 1
    count = len(tests_in(tree.body))
    for node in {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}.values():
        cases = any("TestCase" in ast.dump(base) for base in node.bases)
        plain = node.name.startswith("Test") and not any(
            isinstance(n, ast.FunctionDef) and n.name == "__init__" for n in node.body)
        if cases or plain:
            count += len(tests_in(node.body))
    return count


class Collector:
    def __init__(self):
        self.names, self.skippable, self.errors = [], [], []

    def pytest_collection_modifyitems(self, items):
        for item in items:
            name = item.nodeid.partition("::")[2]
            self.names.append(name)
            if any(item.get_closest_marker(m) for m in ("skip", "skipif", "xfail")):
                self.skippable.append(name)

    def pytest_collectreport(self, report):
        if report.failed:
            self.errors.append(str(report.longrepr))


def collect(path, module, arguments):
    with open(path, "rb") as file:
        source = file.read()
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"line {line}: " if line else ""
        return {"error": {"kind": "syntax", "text": where + getattr(error, "msg", str(error))}}
    text = source.decode("utf-8", "replace")
    sys.modules[module] = Solution(module)
    collector = Collector()
    pytest.main([*arguments, "--collect-only", "-q", path], plugins=[collector])
    least = least_tests(tree, text)
    about_solution = any(re.search(rf"\b{re.escape(module)}\b(?!\.py)", e.splitlines()[-1])
                         for e in collector.errors if e.splitlines())
    if collector.errors and not used and not about_solution:
        last = [line for line in collector.errors[0].splitlines() if line.strip()][-1]
        return {"error": {"kind": "import", "text": re.sub(r"^E\s+", "", last)}}
    exact = not used and not collector.errors
    return {"exact": exact, "names": collector.names, "least": least,
            "skippable": collector.skippable,
            "may_skip": not exact or bool(re.search(
                r"\b(skip|xfail|importorskip|skipTest|SkipTest)\b(?!\w)", text))}


def main():
    path, module, out, *arguments = sys.argv[1:]
    result = collect(path, module, arguments)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file)


main()
