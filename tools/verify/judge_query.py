# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one reading query against the databases of its test cases and compares what it returns.

usage: judge_query.py QUERY CASES OUT
CASES is {"setup": [sql], "cases": [{"name", "setup", "rows", "ordered", "columns"}]}.
Writes {"tests": [{"name", "status", "message", "us"}], "flipped": bool} or {"bad_tests": words}.
"""

import json
import math
import sqlite3
import sys
import time

MOST_ROWS = 10_000
SHOWN = 300
ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION,
           sqlite3.SQLITE_RECURSIVE}
REFUSED_FUNCTIONS = {"load_extension", "writefile", "readfile", "edit", "fts3_tokenizer"}


def allow(action, first, second, database, trigger):
    if action == sqlite3.SQLITE_FUNCTION and second and second.lower() in REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


def prepared(setup):
    database = sqlite3.connect(":memory:", isolation_level=None)
    for statement in setup:
        database.executescript(statement)
    database.execute("PRAGMA query_only = ON")
    database.set_authorizer(allow)
    return database


def rank(value):
    if value is None:
        return (0, 0)
    if isinstance(value, (int, float)):
        return (1, value)
    return (2, value) if isinstance(value, str) else (3, bytes(value).hex())


def same(one, other):
    if isinstance(one, bool):
        one = int(one)
    if isinstance(other, bytes):
        other = other.hex()
    if isinstance(one, float) or isinstance(other, float):
        number = (int, float)
        return (isinstance(one, number) and isinstance(other, number)
                and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12))
    return type(one) is type(other) and one == other


def show(rows):
    text = json.dumps(rows, ensure_ascii=False, default=lambda value: bytes(value).hex())
    return text if len(text) <= SHOWN else text[:SHOWN] + " …"


def compare(case, names, rows):
    """What is wrong, in words; empty: nothing."""
    wanted = case["rows"]
    if len(rows) > MOST_ROWS:
        return f"the query returns more than {MOST_ROWS} rows, expected {len(wanted)}"
    if "columns" in case and case["columns"] != names:
        return f"columns: expected {show(case['columns'])}, got {show(names)}"
    if not case.get("ordered", False):
        def by_value(row):
            return [rank(value) for value in row]
        wanted, rows = sorted(wanted, key=by_value), sorted(rows, key=by_value)
    if len(wanted) != len(rows):
        return (f"expected {len(wanted)} rows, got {len(rows)}: "
                f"expected {show(wanted)}, got {show(rows)}")
    for number, (one, other) in enumerate(zip(wanted, rows), 1):
        if len(one) != len(other):
            return f"row {number}: expected {len(one)} columns, got {len(other)}"
        if not all(same(a, b) for a, b in zip(one, other)):
            return f"row {number}: expected {show(one)}, got {show(other)}"
    return ""


def ask(database, query):
    cursor = database.execute(query)
    if cursor.description is None:
        raise sqlite3.OperationalError("the statement returns no rows: write one SELECT")
    names = [column[0] for column in cursor.description]
    return names, [list(row) for row in cursor.fetchmany(MOST_ROWS + 1)]


def judge(query, tests):
    results, flipped = [], False
    for case in tests["cases"]:
        try:
            setup = tests.get("setup", []) + case.get("setup", [])
            database = prepared(setup)
        except (sqlite3.Error, sqlite3.Warning) as error:
            return {"bad_tests": f"setup of {case['name']}: {error}"}
        began = time.monotonic_ns()
        try:
            names, rows = ask(database, query)
            message = compare(case, names, rows)
            status = "failed" if message else "passed"
            flipped = flipped or compare(case, *ask(database, query)) != message
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            status, message = "error", str(error)
        except MemoryError:
            status, message = "error", "the query takes more memory than it may"
        results.append({"name": case["name"], "status": status, "message": message,
                        "us": (time.monotonic_ns() - began) // 1000})
    return {"tests": results, "flipped": flipped}


def main():
    query, cases, out = sys.argv[1:]
    with open(query, encoding="utf-8", errors="replace") as file:
        text = file.read()
    with open(cases, encoding="utf-8") as file:
        tests = json.load(file)
    result = judge(text, tests)
    for test in result.get("tests", []):
        print(f"{test['name']}: {test['status']}" + (f": {test['message']}" if test["message"] else ""))
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file)


main()
