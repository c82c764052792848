"""What the browser makes of the codes of a heatmap."""

import numpy as np


def decode(codes, scale):
    """Values the codes stand for, NaN for 0; within half a step of the clipped values."""
    share = (codes.astype(np.float64) - 1) / (scale.last_code - 1)
    return np.where(codes == 0, np.nan, scale.low + share * (scale.high - scale.low))
