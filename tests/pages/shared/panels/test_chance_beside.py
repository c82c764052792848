"""Better than chance? The same button on every page: p beside the number, in the file and in the script."""

from functools import partial

import pytest

from kernex_core import CrossValidation, Diffusion, load_dataset, permutation_test, prepare_network
from kernex_core.studies.networks.kernel_sweep import sweeping_network
from pages.networks import results
from pages.networks import subject as networks
from pages.shared.messages import plain
from pages.shared.panels.several import chance

PERMUTATIONS = 9


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(chance, "permuting", partial(chance.permuting, permutations=PERMUTATIONS))


def captions(at):
    return " ".join(caption.value for caption in at.caption)


def test_networks_says_p_of_all_values_together(open_page_test, few, monkeypatch):
    seen = []
    monkeypatch.setattr(results, "keep_row", lambda result, **_: seen.append(result))
    at = open_page_test("networks/networks.py", load_dataset("karate_club"))
    assert "against chance" not in captions(at)
    at.button(key="networks.chance.run").click().run()
    assert not at.exception
    data = load_dataset("karate_club")
    prepared = prepare_network(data.samples["network"], Diffusion().operator)
    scale = networks.scale_of(Diffusion(), Diffusion().bound_on(prepared.spectrum), data.defaults.tau, None)
    kernels = [scale.at(Diffusion(), value) for value in scale.grid]
    protocol = CrossValidation(C=data.defaults.C, folds=data.defaults.folds, repeats=data.defaults.repeats)
    *_, found = sweeping_network(prepared, kernels, data.labels, protocol)
    every = found.by_name()
    meant = permutation_test(
        {name: one.subject[0] for name, one in every.items()},
        data.labels,
        protocol,
        permutations=PERMUTATIONS,
    )
    shown = next(name for name in every if f"**{plain(name)}: " in captions(at))
    assert f"**{plain(shown)}: {chance.p_against_chance(meant, shown)} against chance.**" in captions(at)
    *_, first, second = seen
    table = next(offer for offer in second.further if offer.label == "Accuracies as CSV").build()
    assert [row["p against chance"] for row in table] == [meant.p(name) for name in every]
    assert f"permutations={PERMUTATIONS}" in first.script.build()
