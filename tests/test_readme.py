"""What the README tells a newcomer to run does run."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.conftest import REPOSITORY


def test_its_example_computes_what_it_says(tmp_path, monkeypatch, capsys, rng):
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    block = re.search(r"((?:    .*\n|\n)+)", text[text.index("    from pathlib") :]).group(1)
    y = np.repeat(["a", "b"], 10)
    X = rng.normal(size=(20, 3)) + 3 * (y == "a")[:, None]
    ids = [f"item {i}" for i in range(20)]
    monkeypatch.chdir(tmp_path)
    target = X @ X.T
    target[3], target[:, 3] = np.nan, np.nan
    pd.DataFrame(X @ X.T, ids, ids).to_csv("sequence.csv")
    pd.DataFrame(target, ids, ids).to_csv("structure.csv")
    pd.DataFrame({"id": ids, "label": y}).to_csv("labels.csv", index=False)
    exec("\n".join(line[4:] for line in block.splitlines()), {})
    assert "Multi-class accuracy" in capsys.readouterr().out


FILES = ["README.md", *(f"docs/{path.name}" for path in sorted((REPOSITORY / "docs").glob("*.md")))]


@pytest.mark.parametrize("file", FILES)
def test_links_inside_the_repository_lead_somewhere(file):
    path = REPOSITORY / file
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / Path(target)).exists(), target


def test_every_variable_of_the_environment_is_explained():
    read = {
        name
        for folder in ("kernex_core", "pages", "science", "tests")
        for path in (REPOSITORY / folder).rglob("*.py")
        for name in re.findall(r"\"(KERNEX_[A-Z_]+)\"", path.read_text(encoding="utf-8"))
    }
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert "KERNEX_DATA" in read
    assert read == set(re.findall(r"^\| `(KERNEX_\w+)` \|", text, re.MULTILINE))
