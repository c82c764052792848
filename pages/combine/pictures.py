"""Both kernels and what is made of them at λ, as linked matrices."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from pages.combine.settings import LAM, TABS
from pages.combine.subject import Subject
from pages.shared.figures.codes import common_scale
from pages.shared.figures.picture import Items
from pages.shared.figures.theme import number
from pages.shared.matrices.follows import joint_follows
from pages.shared.matrices.panels import Drag, Follow, Panel, Room, Words
from pages.shared.messages import shortened
from pages.shared.panels.arrangement import arranged
from pages.shared.panels.linked import linked

KEY = "combine.maps"


def maps(subject: Subject, lam: float, how: str, carriers: DeltaGenerator) -> Items:
    """Draw them, with λ at them."""
    made = subject.made
    items = arranged(how, made.first, subject.labels)
    follows = (
        *joint_follows(made.path, 2, items.positions),
        Follow(3, "mix", of=(0, 1), note="λ = {}"),
    )
    pick = "" if subject.labels is None else "Choose λ"
    drag = Drag(
        LAM, "λ", "λ, in the picture", lam, 0.0, 1.0, 0.01, follows, title="Weight of the first", pick=pick
    )
    settings = f"λ = {number(lam, 2)}, nugget {number(made.config.nugget, 3)}"
    words = Words(f"{subject.dataset.name}: {subject.first.name} and {subject.second.name}", settings)
    linked(panels(subject, lam), items, key=KEY, words=words, drag=drag, room=Room(carriers, 0.4, TABS))
    return items


def panels(subject: Subject, lam: float) -> list[Panel]:
    """Return what is drawn."""
    made, at = subject.made, f"λ = {number(lam, 2)}"
    shown: list[tuple[str, str, FloatArray]] = [
        (subject.first.name, "first", made.first.values),
        (subject.second.name, "second", made.second.values),
        ("Joint", at, made.values("joint", lam)),
        ("Weighted sum", at, made.values("weighted sum", lam)),
        ("Product", "entry by entry", made.values("product", lam)),
    ]
    return [Panel(shortened(name, 20), note, K, common_scale([K])) for name, note, K in shown]
