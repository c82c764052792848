"""The joint kernel of two kernels for every weight λ, from one decomposition (Kernel extrapolation, section 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.hyperparameters import check_nugget
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.parallel_sum import JointPath, path_of
from kernex_core.validation import as_symmetric, check_kernel


def joint_path(A: GramMatrix | ArrayLike, T: GramMatrix | ArrayLike, *, nugget: float = 0.1) -> JointPath:
    """Decompose two kernels on the same items once, for every λ.

    λ weights the inverse of the first (source), 1 − λ that of the second (target).

    Parameters
    ----------
    A, T : (n, n)
        Positive semidefinite; cosine-normalised by convention.
    nugget : float
        ρ >= 0 added to both diagonals.

    Raises
    ------
    InvalidInputError
        Shapes that differ, unknown entries, or two zero kernels.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import joint_path
    >>> path = joint_path(np.diag([1.0, 2.0]), np.diag([3.0, 2.0]), nugget=0.0)
    >>> [path.kernel(lam).round(6).diagonal().tolist() for lam in (0.0, 0.5, 1.0)]
    [[3.0, 2.0], [1.5, 2.0], [1.0, 2.0]]
    """
    nugget = check_nugget(nugget)
    first, second = as_symmetric(A, "The first kernel"), as_symmetric(T, "The second kernel")
    if first.shape != second.shape:
        raise InvalidInputError(
            "Both kernels have to be about the same items", f"{first.shape[0]} and {second.shape[0]} items"
        )
    # the nugget would hide what is indefinite
    first = check_kernel(first, "The first kernel", given=A)
    second = check_kernel(second, "The second kernel", given=T)
    ridge = nugget * np.eye(first.shape[0])
    return path_of(first + ridge, second + ridge)
