"""Numbers on the pages are written in one way: swept over what every page says."""

import dataclasses
import re

import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Sequences
from pages.server.navigation import PAGES

pytestmark = pytest.mark.usefixtures("kept_results")

OTHER_FORMS = {
    "a power of ten as Python prints it": r"\d[eE][+\-−]?\d",
    "a hyphen for a minus": r"(?:^|[\s(=>|*\[])-\d",
    "a percentage without its space": r"\d%",
    "a percentage that breaks from its number": r"\d[ \n]%(?!\w)",
    "a power of ten that breaks": r"\d(?:[ \n]×.|.×[ \n])10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]",
    "a count without its comma": r"(?<![\d.,/\w⁰-⁹])(?!(?:19|20)\d\d\b)\d{4,}(?![\d\w])",  # years apart
}
IN_CODE = re.compile(r"\$[^$]*\$|`[^`]*`|:[a-z]+\[|:material/\w+:|https?://\S+|\d+\.\d+")


def said(at):
    """What a page says in texts, numbers, badges and tables."""
    texts = [
        block.value
        for kind in ("markdown", "caption", "title", "header", "subheader")
        for block in at.get(kind)
    ]
    texts += [text for metric in at.metric for text in (metric.value, metric.delta)]
    texts += [
        str(cell) for table in at.table for column in table.value for cell in (column, *table.value[column])
    ]
    return [text.replace("\\", "").replace("\u2060", "") for text in texts]


@pytest.fixture
def awkward(small_dataset, rng):
    """Kernels of very small and very large numbers, one of them indefinite, and strings."""
    source = small_dataset.kernels["source"]
    noise = rng.normal(size=(30, 30))
    ids = small_dataset.ids
    strings = tuple("".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), 40)) for _ in ids)
    kernels = {
        "source": GramMatrix(1e-7 * source.values, ids, "source"),
        "large": GramMatrix(1e5 * source.values, ids, "large"),
        "indefinite": GramMatrix(1e-6 * (noise + noise.T), ids, "indefinite"),
    }
    return dataclasses.replace(
        small_dataset,
        kernels=kernels,
        samples={"strings": Sequences(ids, strings)},
        source="source",
        target="indefinite",
    )


@pytest.mark.parametrize("path", [entry.path for entry in PAGES])
def test_numbers_are_written_in_one_way(open_page_test, awkward, path):
    found = [
        (what, text)
        for text in said(open_page_test(path, awkward))
        for what, form in OTHER_FORMS.items()
        if re.search(form, IN_CODE.sub(" ", text))
    ]
    assert found == []
