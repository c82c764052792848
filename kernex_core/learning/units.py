"""The unit of a training block: the mean of its self-similarities, in which strengths of learners are chosen."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray


def mean_diagonal(K: FloatArray) -> float:
    """Mean diagonal of a training block (n, n); 1 where it is not above 0, as of a kernel that says nothing.

    C over it and λ times it mean the same for K and for 1e-4 K.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.units import mean_diagonal
    >>> mean_diagonal(np.diag([1.0, 3.0])), mean_diagonal(np.zeros((2, 2)))
    (2.0, 1.0)
    """
    own = K.diagonal()
    largest = float(np.abs(own).max(initial=0.0))
    if not 0.0 < largest < np.inf:
        return 1.0
    # over the largest first: the sum of large ones may leave the range of numbers
    mean = largest * float((own / largest).mean())
    return mean if mean > 0.0 else 1.0
