"""Laws of what is made of a similarity matrix: held, measured, repaired, mapped, completed, joined."""

import numpy as np

import kernex_core as kx
from kernex_core.runtime.progress import finished
from tests.kernex_core.magnitudes.law import law
from tests.kernex_core.magnitudes.things import (
    ABOVE,
    IDS,
    INDEFINITE,
    KNOWN,
    LABELS,
    PARTLY,
    VIEWS,
    K,
    T,
    X,
    Y,
    gram,
    vectors,
)

DESCRIBED = {
    "eigenvalues": 1, "min_eigenvalue": 1, "negative_mass": 0, "negative": 0, "rank": 0, "condition": 0, "effective_rank": 0,
    "dominance": 0, "zero_share": 0, "alignment": 0, "neighbour_accuracy": 0, "few_digits": 0,
}  # fmt: skip
REPAIRED = {
    "gram": 1, "distance": 1, "relative_distance": 0, "min_eigenvalue": 1, "negative_mass": 0, "rank": 0, "negative": 0,
}  # fmt: skip

MATRICES = {
    "GramMatrix": law(lambda s: gram(s * K), values=1),
    "GramMatrix, nearest": law(lambda s: gram(s * INDEFINITE.round(3)), nearest=1),
    "GramMatrix, taken": law(lambda s: gram(s * K).take([0, 2, 3]), values=1),
    "Similarity": law(lambda s: kx.Similarity(IDS, gram(s * K)), gram__values=1),
    "cosine_normalize": law(lambda s: kx.cosine_normalize(s * K), it=0),
    "center": law(lambda s: kx.center(s * K), it=1),
    "diagnose": law(lambda s: kx.diagnose(s * INDEFINITE, Y), **DESCRIBED),
    "diagnose, a kernel": law(lambda s: kx.diagnose(s * K, Y), **DESCRIBED),
    "health": law(
        lambda s: kx.health(gram(s * INDEFINITE), LABELS), min_eigenvalue=1, negative_mass=0, dominance=0
    ),
    "kernel_pca": law(lambda s: kx.kernel_pca(s * K, 3), coordinates=0.5, share=0),
    "kernel_pca, as it is": law(lambda s: kx.kernel_pca(s * K, 3, centred=False), coordinates=0.5, share=0),
    "repair_psd": law(lambda s: kx.repair_psd(s * INDEFINITE, "clip"), **REPAIRED),
    "REPAIRS:Clip": law(lambda s: kx.repair_psd(s * INDEFINITE, "clip"), **REPAIRED),
    "REPAIRS:Flip": law(lambda s: kx.repair_psd(s * INDEFINITE, "flip"), **REPAIRED),
    "REPAIRS:Shift": law(lambda s: kx.repair_psd(s * INDEFINITE, "shift"), **REPAIRED),
    "REPAIRS:Square": law(
        lambda s: kx.repair_psd(s * INDEFINITE, "square"), gram=2, min_eigenvalue=1, negative_mass=0, rank=0
    ),
    "repair_psd, of a part": law(
        lambda s: kx.repair_psd(gram(s * (PARTLY - 0.4 * np.eye(len(T)))), "flip"), gram__values=1, distance=1
    ),
    "SignedPower": law(lambda s: kx.SignedPower(0.5)(s * INDEFINITE), it=0.5),
    "signed_power": law(lambda s: kx.signed_power(s * INDEFINITE, 0.5), it=0.5),
    "SignedLog": law(lambda s: kx.SignedLog(10.0)(s * K), it=0),
    "signed_log": law(lambda s: kx.signed_log(s * K, 10.0), it=0),
    "EmpiricalMap": law(lambda s: kx.EmpiricalMap(kx.SignedPower(1.0))(s * K), it=2),
    "empirical_map": law(lambda s: kx.empirical_map(s * K, 0.5), it=1),
    "StandardisedMap": law(lambda s: kx.StandardisedMap()(s * K), it=0),
    "StandardisedMap, of entries": law(lambda s: kx.StandardisedMap(kx.SignedPower(1.0))(s * K), it=0),
    "Log1p": law(lambda s: kx.Log1p()(s * K) / np.log1p(s * np.abs(K)) * np.sign(K), it=0),
    "SpectralMap": law(lambda s: kx.SpectralMap()(s * K), it=0.5),
    "spectral_map": law(lambda s: kx.spectral_map(s * K, 1.0), it=1),
    "SquareRootMap": law(lambda s: kx.SquareRootMap(kx.SignedPower(1.0))(s * K), it=1),
    "square_root_map": law(lambda s: kx.square_root_map(s * K, 0.5), it=0.5),
    **{
        f"SCHEMES:{type(scheme).__name__}": law(lambda s, scheme=scheme: _through(scheme, s * K), it=power)
        for scheme, power in zip(kx.SCHEMES, (1, 0.5, 0.5, 0.5, 0), strict=True)
    },
    "FillUnknown": law(lambda s: kx.FillUnknown("mean")(s * PARTLY), it=1),
    "fill_unknown": law(lambda s: kx.fill_unknown(s * PARTLY, "mean"), it=1),
    "expand": law(lambda s: kx.expand(gram(s * K), (*IDS, "other")), values=1),
    "align": law(lambda s: kx.align({"k": gram(s * K), "x": vectors(s * X)}), data__kernels__k__values=1),
    "align_with": law(
        lambda s: kx.align_with(kx.align({"k": gram(s * K)}).data, "t", gram(s * T)), data__kernels__t__values=1
    ),
    "DataSet": law(
        lambda s: kx.DataSet("d", IDS, kernels={"k": gram(s * K)}), kernels__k__values=1
    ),
    "OpenData": law(lambda s: kx.OpenData(kx.DataSet("d", IDS), {"k": gram(s * K)}), kernels__k__values=1),
    "Workspace": law(lambda s: _workspace(s), data__0__kernels__k__values=1),
    "read_samples": law(lambda s: _said(kx.read_samples(_text(s * K, IDS), "k.csv", kind="similarity")), values=1),
    "read_samples, vectors": law(
        lambda s: _said(kx.read_samples(_text(s * X, "abcd"), "x.csv", kind="vectors")), values=1
    ),
    "read_nodes": law(
        lambda s: kx.read_nodes(_text(s * X, "abcd"), "x.csv", id_column="id", columns=tuple("abcd")), X=1
    ),
    "read_new_rows": law(
        lambda s: kx.read_new_rows(_text(s * K[:3], IDS, "new"), "k.csv", gram(s * np.eye(len(K)))), cross=1, own=1
    ),
    "read_new_vectors": law(
        lambda s: kx.read_new_vectors(_text(s * X[:3], "abcd", "new"), "x.csv", vectors(s * X)), X=1
    ),
    "write_workspace": law(lambda s: kx.read_workspace(kx.write_workspace(_workspace(s))), data__0__kernels__k__values=1),
    "read_workspace": law(lambda s: kx.read_workspace(kx.write_workspace(_workspace(s))), data__0__kernels__k__values=1),
    "NewRows": law(lambda s: kx.NewRows(("n",), s * K[:1], s * K[0, :1]), cross=1, own=1),
    "approximate": law(
        lambda s: kx.approximate(s * K, s * X.T), K_Q=1, Q=-1, trace_share=0, rank=0,
        certificate_holds=0, rtol=1e-5,
    ),
    "approximate, free": law(
        lambda s: kx.approximate(s * K, X.T, constraint="free"), K_Q=1, Q=1, residual_norms__all=1, trace_share=0, rank=0,
    ),
    "extend_kernel": law(lambda s: kx.extend_kernel(s * K, s * X.T, s * ABOVE.T), cross=1, block=1, training_error=0),
    "reduced_set": law(lambda s: kx.reduced_set(s * K, [0, 3, 5]), K_Q=1, Q=-1, trace_share=0, rank=0),
    "landmark_errors, central": law(
        lambda s: kx.landmark_errors(s * K, [2, 5], how="central"), nystroem=0, free=0, best=0
    ),
    "landmark_errors, farthest": law(
        lambda s: kx.landmark_errors(s * K, [2, 5], how="farthest"), nystroem=0, free=0, best=0
    ),
    "landmark_errors": law(lambda s: kx.landmark_errors(s * K, [2, 5], repeats=2), nystroem=0, free=0, best=0),
    "extrapolate": law(
        lambda s: kx.extrapolate(s * K, s * T[:10, :10], KNOWN, nugget=0.1 * s), T_hat=1, W=0, unexplained=0, A=1, Q=-1,
        trace_share=0, certificate_holds=0,
    ),
    "extrapolate, free": law(
        lambda s: kx.extrapolate(s * K, s * T[:10, :10], KNOWN, nugget=0.1 * s, constraint="free"), T_hat=1, W=0, A=1,
    ),
    "joint_path": law(lambda s: kx.joint_path(s * K, s * T, nugget=0.1 * s).kernel(0.3), it=1),
    "joint_path, its sizes": law(lambda s: kx.joint_path(s * K, T, nugget=0.0).kernel(0.0), it=0),
    "joint_kernel": law(lambda s: kx.joint_kernel(s * K, s * T[:10, :10], KNOWN, 0.4, nugget=0.1 * s, residual=True), it=1),
    "joint_regularize": law(lambda s: kx.joint_regularize([s * K, s * T], [0.3, 0.7], nugget=0.1 * s), it=1),
    "joint_regularize, features": law(
        lambda s: kx.joint_regularize([s * K, s * T], [0.3, 0.7], nugget=0.1 * s, feature_map=X.T), Q=1
    ),
    "weighted_sum": law(lambda s: kx.weighted_sum([gram(s * K), gram(s * T, "t")], [0.3, 0.7]), values=1),
    "pointwise_product": law(lambda s: kx.pointwise_product([gram(s * K), gram(s * T, "t")]), values=2),
    "complete_views": law(
        lambda s: kx.complete_views(_views(s)), kernels__one=1, kernels__two=1,
        unexplained=0, alignment=0, converged=0, rtol=1e-3,
    ),
    "complete_views, tuned": law(
        lambda s: kx.complete_views(_views(s), mode="tuned"), kernels__one=1,
        kernels__two=1, unexplained=0, alignment=0, expected_error=0, rtol=1e-3,
    ),
    **{
        f"VIEW_COMPLETIONS:{each.name}": law(
            lambda s, each=each: finished(each.completing(_views(s))), one=1, two=1, rtol=1e-3
        )
        for each in kx.VIEW_COMPLETIONS
    },
    "hidden_views": law(
        lambda s: kx.hidden_views(s * np.array([K, T]), np.array([np.arange(len(K)) < 13, np.arange(len(K)) >= 3])), it=1
    ),
    "view_errors": law(lambda s: kx.view_errors(s * K, s * T, KNOWN), alignment_error=0, relative_error=0),
    "lle_kernel": law(lambda s: kx.lle_kernel(s * X, 5), W=0, gram=0, eigenvalues=0),
    "lle_kernel, new items": law(lambda s: kx.lle_kernel(s * X, 5).weights(1.1 * s * X[:3]), it=0),
    "fisher_map, with squares": law(lambda s: kx.fisher_map(s * X, "gaussian2").apply(s * X), it=0),
    "fisher_map, one column": law(
        lambda s: kx.fisher_map(X * [1.0, s, 1.0, 1.0]).apply(X * [1.0, s, 1.0, 1.0]), it=0
    ),
    "fisher_map": law(lambda s: kx.fisher_map(s * X).apply(s * X), it=0),
    "map_kernel": law(lambda s: kx.map_kernel(vectors(s * X), 5), values=0),
    "map_kernel, of a kernel": law(lambda s: kx.map_kernel(gram(s * K), 5), values=0),
    **{
        f"MAPS:{each.name}": law(
            lambda s, name=each.name: kx.view_map(
                kx.prepare_map(kx.MapConfig(name, n_neighbors=4, share=0.0), gram(s * K)), kept=True
            ),
            trust_all=0, continuity=0, stress=0,
            rtol=0.25 if each.name == "t-sne" else 1e-3,  # its path takes a thousand roundings
        )
        for each in kx.MAPS
    },
    **{
        f"GROUPINGS:{each.name}": law(
            lambda s, name=each.name: kx.find_groups(
                kx.GroupsConfig(name, number=3), kx.prepare_groups(gram(s * K))
            ),
            groups=0, silhouette=0,
        )
        for each in kx.GROUPINGS
    },
    "find_outliers": law(
        lambda s: kx.find_outliers(kx.OutliersConfig(n_neighbors=3), gram(s * K)), far=0, outside=0, rtol=1e-4
    ),
    "prepare_map": law(lambda s: kx.prepare_map(kx.MapConfig("kernel pca"), gram(s * K)).whole[:, :3], it=0.5),
    "view_map": law(
        lambda s: kx.view_map(kx.prepare_map(kx.MapConfig(n_neighbors=5), vectors(s * X))), trust_kept=0, trust_all=0
    ),
    "place_new": law(lambda s: _placed(s), nearest=0, far=0),
}  # fmt: skip


def _through(scheme, values):
    made = kx.GramMatrix(values)
    for step in scheme.steps(kx.SignedPower(0.5)):
        made = made.then(step)
    return made.values


def _workspace(s):
    return kx.Workspace((kx.OpenData(kx.DataSet("d", IDS), {"k": gram(s * K)}),))


def _placed(s):
    made = kx.prepare_map(kx.MapConfig(n_neighbors=5), vectors(s * X))
    return kx.place_new(made, kx.view_map(made), kx.Vectors(("new",), s * X[:1] * 1.1))


def _views(s):
    return {name: gram(s * values, name) for name, values in VIEWS.items()}


def _text(values, columns, prefix=""):
    """A table as people save it, with all digits."""
    rows = [
        f"{prefix}{name}," + ",".join(f"{x:.17g}" for x in row)
        for name, row in zip(IDS, values, strict=False)
    ]
    return "\n".join(["id," + ",".join(columns), *rows]).encode()


def _said(made):
    """What was read; a file whose numbers count as unknown is refused in a note, by number and count."""
    values = made.gram if isinstance(made, kx.Similarity) else made
    if np.isnan(values.values).any():
        assert any("as programs write where they have no value" in note.text for note in made.notes)
        raise kx.InvalidInputError("Numbers from 1e300 on stand for unknown ones", "read as unknown")
    return values
