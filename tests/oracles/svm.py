"""What the coefficients of a support vector machine are judged by."""

import numpy as np


def dual_objective(K, coefficients):
    """1/2 β'Kβ − Σ|β_i| of each row of coefficients (n_problems, n)."""
    return np.array([beta @ K @ beta / 2.0 - np.abs(beta).sum() for beta in coefficients])
