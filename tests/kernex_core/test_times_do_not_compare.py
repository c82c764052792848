"""How long a result took is no part of what it is: two results of the same are equal."""

import ast

from tests.conftest import REPOSITORY


def fields_of_time():
    for path in sorted((REPOSITORY / "kernex_core").rglob("*.py")):
        for found in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(found, ast.ClassDef):
                for line in found.body:
                    if isinstance(line, ast.AnnAssign) and ast.unparse(line.target).endswith("seconds"):
                        yield f"{path.name} {found.name}.{ast.unparse(line.target)}", line


def test_no_field_of_seconds_is_compared():
    found = dict(fields_of_time())
    assert len(found) > 10
    compared = [name for name, line in found.items() if "compare=False" not in ast.unparse(line)]
    assert not compared
