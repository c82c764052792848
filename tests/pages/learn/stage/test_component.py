"""What a stage sends: the picture at once, the pictures at other stops only when somebody comes near their control."""

from pages.learn import stage as component
from pages.learn.stage import Thumb
from tests.pages.learn.walk import Walk


def test_frames_are_sent_for_the_control_that_somebody_comes_near():
    walk = Walk("heat_and_walks", bet="2")
    (follow,) = walk.picture()["follows"]
    assert follow["frames"] is None
    walk.at.session_state["kernex"].memory["heat_and_walks.stage.near"] = follow["name"]
    walk.run()
    sent = walk.picture()
    (follow,) = sent["follows"]
    assert len(follow["frames"]) == len(follow["stops"]) > 20
    now = follow["stops"].index(10.0)
    assert follow["frames"][now] == {}  # the stop that is drawn
    walk.set(tau=2.0)
    at_two = dict(follow["frames"][follow["stops"].index(2.0)]["readings"])
    assert at_two == walk.readings()


def test_the_digest_changes_with_what_is_drawn_and_only_then():
    walk = Walk("heat_and_walks", bet="2")
    first = walk.picture()["digest"]
    walk.run()
    assert walk.picture()["digest"] == first
    walk.set(tau=3.0)
    assert walk.picture()["digest"] != first


def test_every_symbol_of_a_formula_leads_to_a_control_that_is_drawn():
    walk = Walk("heat_and_walks", bet="2")
    symbols = {part["symbol"] for part in walk.picture()["formula"]} - {""}
    assert symbols == {"haw_tau", "haw_laplacian"}
    drawn = {each.key for each in (*walk.at.select_slider, *walk.at.segmented_control)}
    assert symbols <= drawn


def told(monkeypatch, **said):
    monkeypatch.setattr(component.workspace, "told", lambda key, name: said.get(name))


def test_what_a_browser_tells_of_a_click_is_checked(monkeypatch):
    heard = []
    for said in ([0, "3"], "3", None, [0], [0, None], [0, {"x": 1}], [0, ["3"]]):
        told(monkeypatch, picked=said)
        component._act("lesson.stage", "picked", lambda act, what: heard.append((act, what)))
    assert heard == [("picked", ("3",))]


def test_a_play_that_ends_moves_the_control_to_a_stop_that_it_has(monkeypatch):
    put = {}
    monkeypatch.setattr(component.workspace, "show_in", put.__setitem__)
    thumb = Thumb("tau", "haw_tau", (0.0, 0.1, 0.2), "τ")
    for said in (
        ["haw_tau", 7],
        ["haw_tau", -1],
        ["haw_tau", "1"],
        ["data", 1],
        ["haw_tau"],
        None,
        ["haw_tau", 1.0],
    ):
        told(monkeypatch, played=said)
        component._played("lesson.stage", (thumb,))
        assert put == {}
    told(monkeypatch, played=["haw_tau", 2])
    component._played("lesson.stage", (thumb,))
    assert put == {"haw_tau": 0.2}
