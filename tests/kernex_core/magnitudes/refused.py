"""Powers of ten at which a function refuses what it cannot compute to all digits. Whoever refuses more says so here."""

_BY_POWERS = {
    (-300, -150, 150, 300): (
        "KERNELS:Polynomial", "LEARNERS:KernelRidge", "LEARNERS:KernelLogistic", "LEARNERS:SupportVectors",
        "LEARNERS:SupportVectorRegression", "LEARNERS:OnComponents", "kernel_ridge, numbers", "judge_numbers, numbers",
        "predict_numbers", "mkl, hinge, projected gradient, none", "mkl, hinge, SimpleMKL, none",
        "mkl, square, projected gradient, none", "mkl, square, SimpleMKL, none", "WEIGHTINGS:LearnedWeights",
    ),
    (-300, 150, 300): (
        "KERNELS:CommonNeighbours", "chosen_columns, common neighbours", "REPAIRS:Square", "fisher_map, with squares",
        "map_kernel", "view_map", "place_new", "square_loss_mkl, features", "FeatureGroups",
    ),
    (-300, 300): (
        "KERNELS:Linear", "SparseVectors, linear", "KERNELS:Sinc", "KERNELS:Anova", "EmpiricalMap",
        "pointwise_product",
    ),
    (150, 300): (
        "KERNELS:Diffusion", "KERNELS:Diffusion, normalised", "KERNELS:Exponential", "KERNELS:VonNeumann",
        "KERNELS:RegularizedLaplacian", "KERNELS:LaplacianPseudoinverse", "decompose_network",
        "decompose_network, normalised", "chosen_columns", "chosen_columns, diffusion", "chosen_columns, von Neumann",
        "Network", "network_layout", "prepare_network", "preparing_network", "view_network", "diffusions_of",
        "sweeping_network", "Graph", "GraphSet", "SubstitutionMatrix", "copies_of", "diagnose", "diagnose, a kernel",
        "kernel_pca", "kernel_pca, as it is", "repair_psd", "REPAIRS:Clip",
        "REPAIRS:Flip", "REPAIRS:Shift", "repair_psd, of a part",
        "approximate", "approximate, free", "extend_kernel", "reduced_set", "landmark_errors, central",
        "landmark_errors, farthest", "landmark_errors", "extrapolate", "extrapolate, free", "joint_path",
        "joint_path, its sizes", "joint_kernel", "joint_regularize", "joint_regularize, features", "complete_views",
        "complete_views, tuned", "VIEW_COMPLETIONS:zero", "VIEW_COMPLETIONS:mean", "VIEW_COMPLETIONS:single",
        "VIEW_COMPLETIONS:sweeps", "VIEW_COMPLETIONS:fast", "VIEW_COMPLETIONS:tuned", "lle_kernel",
        "lle_kernel, new items", "fisher_map, one column", "fisher_map", "kernel_ridge", "kernel_logistic",
        "one_vs_rest_accuracy", "judge", "judge_numbers", "judge_many", "compare", "permutation_test",
        "predict_unlabelled", "mkl, hinge, projected gradient, mean", "mkl, hinge, projected gradient, cosine",
        "mkl, hinge, projected gradient, centred", "mkl, hinge, SimpleMKL, mean", "mkl, hinge, SimpleMKL, cosine",
        "mkl, hinge, SimpleMKL, centred", "mkl, square, projected gradient, mean",
        "mkl, square, projected gradient, cosine", "mkl, square, projected gradient, centred",
        "mkl, square, SimpleMKL, mean", "mkl, square, SimpleMKL, cosine", "mkl, square, SimpleMKL, centred", "mkl",
        "mkl_path", "square_loss_mkl", "KernelStack", "alignment_weights", "alignment_weights, apart",
        "WEIGHTINGS:EqualWeights", "WEIGHTINGS:GivenWeights", "WEIGHTINGS:ByAlignment", "gene_data",
        "EDGE_METHODS:CanonicalProjection", "EDGE_METHODS:MetricLearning", "EDGE_METHODS:TwoStepRidge",
        "EDGE_METHODS:LocalModels", "EDGE_METHODS:PairwiseMachine", "EDGE_METHODS:Spectral", "EDGE_METHODS:Direct",
        "predict_edges", "rank_unobserved", "judging_edges", "judging_missing", "place_nodes",
    ),
    (300,): (
        "KERNELS:AllSubsets", "KERNELS:Polynomial, with a constant", "KERNELS:Anova, of several degrees", "read_samples",
        "read_samples, vectors", "read_new_rows",
    ),
}  # fmt: skip

REFUSED = {title: powers for powers, titles in _BY_POWERS.items() for title in titles}
