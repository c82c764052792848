"""Errors on the digits of CVKT's authors, by the share that their masks hide: what later completions stand beside.

Digits in six views: 200 items, on the masks that its authors published (Huusari, Capponi, Villoutreix and Kadri 2019). Of
CVKT it is the level of its grid that was best in hindsight, with the true kernels at hand; of MKMC (Rivero, Lemence and Kato
2017) the best of seven variants, in hindsight too. Ours, fast and tuned, saw no true kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.joint.views.errors import ViewErrors, view_errors

REPORTED: Final[Mapping[int, Mapping[str, ViewErrors]]] = {
    percent: {
        way: ViewErrors(*pair) for way, pair in zip(("fast", "tuned", "MKMC", "CVKT"), pairs, strict=True)
    }
    for percent, pairs in {
        10: ((0.00087, 0.0815), (0.00083, 0.0777), (0.00093, 0.0838), (0.0110, 0.1558)),
        20: ((0.00174, 0.0893), (0.00167, 0.0863), (0.00178, 0.0902), (0.0131, 0.1759)),
        30: ((0.00269, 0.0964), (0.00255, 0.0929), (0.00277, 0.0971), (0.0154, 0.1844)),
        40: ((0.00410, 0.1112), (0.00392, 0.1082), (0.00427, 0.1134), (0.0160, 0.1900)),
        50: ((0.00580, 0.1236), (0.00560, 0.1211), (0.00594, 0.1248), (0.0192, 0.2074)),
        60: ((0.00804, 0.1397), (0.00782, 0.1377), (0.00844, 0.1435), (0.0215, 0.2145)),
    }.items()
}
"""Errors by percentage missing and by way, means over the six views."""


def errors_of(
    truth: FloatArray, given: Mapping[str, GramMatrix], completed: Mapping[str, GramMatrix]
) -> ViewErrors | None:
    """Mean errors of completed views, where the truth is at hand.

    Parameters
    ----------
    truth : (V, n, n)
    given : mapping of str to GramMatrix
        V views that lack items, in the order of `truth`.
    completed : mapping of str to GramMatrix
        The same views by the same names.

    Returns
    -------
    ViewErrors or None
        None if what is given is not the truth with rows left out.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> from kernex_core.joint.views.reported import errors_of
    >>> K = np.eye(4)
    >>> K[3], K[:, 3] = np.nan, np.nan
    >>> completed = {"a": GramMatrix(np.diag([1.0, 1.0, 1.0, 0.5]))}
    >>> errors_of(np.eye(4)[None], {"a": GramMatrix(K)}, completed).relative_error
    0.5
    """
    if len(given) != len(truth):
        return None
    found = []
    for K, (name, view) in zip(truth, given.items(), strict=True):
        has = view.known
        block = np.ix_(has, has)
        if view.values.shape != K.shape or not np.array_equal(view.values[block], K[block]):
            return None
        if not has.all():
            found.append(view_errors(K, completed[name].values, has))
    if not found:
        return None
    return ViewErrors(
        float(np.mean([one.alignment_error for one in found])),
        float(np.mean([one.relative_error for one in found])),
    )
