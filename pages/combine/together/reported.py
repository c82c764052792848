"""Digits in six views: errors against the true kernels beside those known of other methods on the same mask."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.views.errors import ViewErrors, errors_of
from kernex_core.completion.views.methods import CompletedKernels, view_completion
from kernex_core.datasets.fetched.download import is_cached
from kernex_core.datasets.fetched.six_views import EXPECTED, KERNELS, MISSING, VIEWS, true_six_views
from pages.combine.several.subject import Subject
from pages.shared.cached import cached
from pages.shared.frame import panel_title
from pages.shared.shown.drawn import table

KNOWN: Final = {
    "fast": ("Joint, fast", "reported"),
    "tuned": ("Joint, tuned", "reported"),
    "MKMC": ("MKMC (Rivero et al. 2017)", "reported, best of seven variants in hindsight"),
    "CVKT": ("CVKT (Huusari et al. 2019)", "reported, best of its levels in hindsight"),
}
"""What is reported: method, and in which way."""


def truth() -> FloatArray | None:
    """The true kernels, if their file was fetched, also since it was last asked for."""
    return _read() if is_cached(KERNELS) else None


@cached(public=True)
def _read() -> FloatArray | None:
    return true_six_views()


def is_about(subject: Subject, made: CompletedKernels) -> bool:
    """Whether these are the data."""
    return _errors(subject, made) is not None


def _errors(subject: Subject, made: CompletedKernels) -> ViewErrors | None:
    if len(subject.kernels) != VIEWS:
        return None
    true = truth()
    return None if true is None else errors_of(true, subject.kernels, made.kernels)


def show(subject: Subject, made: CompletedKernels, way: str) -> None:
    """Draw the errors."""
    own = _errors(subject, made)
    if own is None:
        return
    panel_title("Beside what is known of these data", f"mask of {MISSING} %; against the true kernels")
    rows = [_row(view_completion(way).title, "here", own)]
    rows += [_row(*said, EXPECTED[name]) for name, said in KNOWN.items()]
    table("many.reported", rows, hide_index=True)
    st.caption(
        "Means over the views. CA error: 1 − alignment of a completed kernel with the true one. Relative error: of the rows "
        "that a view lacked. “In hindsight”: variants or levels were chosen by these very errors, which nobody has without "
        "the truth; ours were not. Of MKC (Bhadra et al. 2017) nothing is reported on this mask."
    )


def _row(method: str, how: str, errors: ViewErrors) -> dict[str, str]:
    return {
        "method": method,
        "number": how,
        "CA error": f"{errors.alignment_error:.5f}",
        "relative error": f"{errors.relative_error:.4f}",
    }
