"""How the page Complete together works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"J = V \log\det\Big(\tfrac{1}{V}\sum_v T_v + \rho I\Big) - \sum_v \log\det R_v",
    r"R_v = T_{UU} - T_{US}\, T_{SS}^{-1}\, T_{SU}",
    r"W = (M_{SS} + c\,11^\top + r I)^{-1} (M_{SU} + c\,11^\top),\qquad Q_{SU} = K_{SS} W",
)
ASSUMPTIONS: Final = (
    "*S* are the items that kernel *v* has, *U* those that it lacks; *M* is a weighted mean of the other kernels, "
    "completed by turns until *J* stands still. What a kernel had stays bit for bit as it came.",
    "Trust is the share of an item's own similarity that the other kernels explain: 1 where the kernel had the item, 0 "
    "where it was made from nothing. It ranks items; on real data it goes along with the true error only moderately.",
    "A completed kernel was built on all items: accuracies of it are transductive. Labels are not looked at.",
    "*J* is not convex: what is found is a stationary point, the same in every run.",
    "Rivero, Lemence and Kato, Mutual kernel matrix completion, 2017.",
)
