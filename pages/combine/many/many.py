"""The page Many kernels: who has which items, completed together, weighed, made one."""

from pages.combine.many import view
from pages.combine.many.settings import SETTINGS
from pages.shared.frame import formula_expander, need_data, open_page
from pages.shared.messages import guard

page = open_page(
    "Many kernels",
    "Several kernels of the same items, each of which may lack some: can they complete each other, and how much should "
    "each count?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
formula_expander(
    [
        r"J = V \log\det\Big(\tfrac{1}{V}\sum_v T_v + \rho I\Big) - \sum_v \log\det R_v",
        r"R_v = T_{UU} - T_{US}\, T_{SS}^{-1}\, T_{SU}",
        r"W = (M_{SS} + c\,11^\top + r I)^{-1} (M_{SU} + c\,11^\top),\qquad Q_{SU} = K_{SS} W",
        r"K_\eta = \sum_m \eta_m K_m,\qquad \eta_m \geq 0,\ \sum_m \eta_m = 1",
        r"\text{MKL: } \min_\eta \max_{0 \leq \alpha \leq C,\ y^\top\alpha = 0} 1^\top\alpha - \tfrac12 "
        r"\sum_m \eta_m (y\alpha)^\top K_m (y\alpha)",
        r"\text{joint: } J = \Big(\sum_m \eta_m (K_m + \rho I)^{-1}\Big)^{-1},\qquad "
        r"\text{new items: } k(x, \cdot) = k_\eta(x)^\top (K_\eta + \rho I)^{-1} J",
    ],
    [
        "*S* are the items that kernel *v* has, *U* those that it lacks; *M* is a weighted mean of the other kernels, "
        "completed by turns until *J* stands still. What a kernel had stays bit for bit as it came.",
        "Trust is the share of an item's own similarity that the other kernels explain: 1 where the kernel had the item, 0 "
        "where it was made from nothing. It ranks items; on real data it goes along with the true error only moderately.",
        "A completed kernel was built on all items: accuracies of it are transductive. Labels are not looked at.",
        "*J* is not convex: what is found is a stationary point, the same in every run.",
        "The duality gap of multiple kernel learning says how far the objective may be above the least, as a share of it. "
        "Of equal kernels only the summed weight is certain.",
        "Under Accuracy everything that looks at more than a pair is made inside the fold: scale, weights, the joint kernel "
        "(which test items reach by the last formula), and with a choice inside the folds both C. A product needs no fold.",
        "Weights that were learned here have seen all labels. A kernel that is made with them and kept says leak wherever "
        "it is judged.",
        "Rivero, Lemence and Kato, Mutual kernel matrix completion, 2017. Bach, Lanckriet and Jordan, ICML 2004. "
        "Rakotomamonjy et al., JMLR 2008. Cortes, Mohri and Rostamizadeh, JMLR 2012. Borgwardt, Guttman, Vishwanathan "
        "and Smola, Joint regularization, 2005.",
    ],
)
