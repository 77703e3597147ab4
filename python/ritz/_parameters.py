# SPDX-License-Identifier: MIT
# Made by tools/generate_python.py; do not edit.
"""The parameters of the estimators, from the option tables of the library."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, ClassVar, Literal

import numpy as np


class ISMParameters:
    """The few directions of the data that tell classes apart, or explain numbers.

    Parameters
    ----------
    dim : int | Literal['auto'], default='auto'
        dimensions to keep, or auto: by held-out evidence, at least as many as the classes need.
    preset : Literal['best', 'paper'], default='best'
        what is left open: best (by held-out evidence), or paper (standard columns, sigma=median, as many
        dimensions as classes).
    kernel : str, default='gaussian(sigma=0.5*median)'
        kernel, e.g. gaussian(sigma=0.5*median), polynomial(degree=3,offset=1), or a sum such as
        0.7*gaussian(sigma=2)+0.3*linear (a weight may be auto), or auto; see 'ritz list kernels'.
    sigma : float | str | None, default=None
        width of all Gaussian kernels: a number, median, a multiple such as 0.5*median, or auto.
    scale : Literal['standard', 'center', 'none', 'whiten', 'auto'], default='auto'
        columns: standard (mean 0, deviation 1), whiten (standard, then decorrelated), center, none, or auto:
        standard or whiten by held-out evidence.
    shrinkage : float, default=0.1
        of whitening: part of the covariance that is replaced by a multiple of the identity. In [0, 1].
    whiten_by : Literal['all', 'classes'], default='all'
        of whitening: by the covariance of all samples, or by that inside the classes, as discriminant
        analysis.
    target_kernel : Literal['linear', 'gaussian'], default='linear'
        of numeric targets: linear, or gaussian for dependence of every kind.
    target_sigma : float | str, default='median'
        width of the targets' gaussian, in deviations of the targets.
    target_error : float, default=1e-06
        part of the targets' gaussian kernel that its low-rank factor may miss. In [0, 1].
    holdout : float, default=0
        share of each class (or of the samples, with targets) kept out of the fit and predicted by k-NN before
        and after. In [0, 0.9].
    neighbours : int, default=5
        k of that k-NN classifier. In [1, 10000].
    tolerance : float, default=1e-06
        stop when the first-order residual |(I - WW')PhiW| / |Phi| is at most this. In [0, 1].
    stop : Literal['residual', 'eigenvalues'], default='residual'
        what the tolerance bounds: the residual, or the relative change of the eigenvalues (the papers' rule).
    solver : Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'], default='best'
        ism, plain (ism without level shift), the rivals dg (dimension growth), sm (Stiefel manifold) and gm
        (Grassmann trust region), or best (ism, then gm where F can still climb).
    restarts : int, default=0
        random starts tried besides the spectral one; the best result is kept. In [0, 1000000].
    max_iterations : int, default=1000
        at most this many iterations. In [1, 1000000000].
    curvature : Literal['auto', 'always', 'never'], default='auto'
        second-order certificate: the largest eigenvalue of the tangent Hessian (auto: while it takes no
        longer than the fit).
    precision : Literal['double', 'mixed'], default='double'
        of the sums over pairs: double, or mixed (products of tiles in single precision).
    approximate : float, default=0
        relative error of the objective that a low-rank kernel may cause; 0: exact sums. In [0, 0.1].
    sample_pairs : float, default=0
        share of the pairs that the fit sees, drawn, with an interval for the objective over all of them; 0:
        all pairs. In [0, 1].
    choose_by : Literal['alignment', 'accuracy'], default='accuracy'
        what a kernel or width that the program chooses is judged by: accuracy (k-NN, cross-validated) or
        alignment (of kernel and labels, one fit each).
    choose_folds : int, default=5
        folds of that accuracy. In [2, 1000].
    folds : int, default=0
        parts of a cross-validation, stratified by class: each is predicted by a fit to the others, all
        choices made anew (0: none). In [0, 1000000].
    scale_once : bool, default=False
        scale columns on all samples before splitting (the papers' protocol) instead of on each training part.
    bootstrap : int, default=0
        refit on this many resamples to see how sure the loadings are (0: none). In [0, 1000000].
    sparse : bool, default=False
        drop features, fitting again without them, then small loadings, while that costs no more than
        ``max_loss``.
    max_loss : float, default=0.01
        share of the objective that a sparse basis may cost. In [0, 1].
    features : int, default=0
        name the best few: fit, drop the weakest, fit again until so many are left, and tell what they lose
        (0: do not). In [0, 1000000].
    target : Literal['auto', 'classes', 'numbers'], default='auto'
        what y is: names of classes, or numbers to be explained; auto: numbers where y has several columns or
        values that are not whole.
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    components_ : ndarray of shape (n_dimensions, n_features)
        The new axes, a row each, orthonormal.
    loadings_ : DataFrame of shape (n_features, n_dimensions)
        The same with names; needs pandas.
    classes_ : ndarray
        The classes of y, where it has such.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> ritz.ISM(2).fit(X, y).transform(X).shape
    (178, 2)
    """

    _verb: ClassVar[str] = 'reduce'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'dim': 'auto', 'preset': 'best', 'kernel': 'gaussian(sigma=0.5*median)', 'sigma': None, 'scale':
        'auto', 'shrinkage': 0.1, 'whiten_by': 'all', 'target_kernel': 'linear', 'target_sigma': 'median',
        'target_error': 1e-06, 'holdout': 0, 'neighbours': 5, 'tolerance': 1e-06, 'stop': 'residual',
        'solver': 'best', 'restarts': 0, 'max_iterations': 1000, 'curvature': 'auto', 'precision': 'double',
        'approximate': 0, 'sample_pairs': 0, 'choose_by': 'accuracy', 'choose_folds': 5, 'folds': 0,
        'scale_once': False, 'bootstrap': 0, 'sparse': False, 'max_loss': 0.01, 'features': 0,
    }

    def __init__(
        self,
        dim: int | Literal['auto'] = 'auto',
        *,
        preset: Literal['best', 'paper'] = 'best',
        kernel: str = 'gaussian(sigma=0.5*median)',
        sigma: float | str | None = None,
        scale: Literal['standard', 'center', 'none', 'whiten', 'auto'] = 'auto',
        shrinkage: float = 0.1,
        whiten_by: Literal['all', 'classes'] = 'all',
        target_kernel: Literal['linear', 'gaussian'] = 'linear',
        target_sigma: float | str = 'median',
        target_error: float = 1e-06,
        holdout: float = 0,
        neighbours: int = 5,
        tolerance: float = 1e-06,
        stop: Literal['residual', 'eigenvalues'] = 'residual',
        solver: Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'] = 'best',
        restarts: int = 0,
        max_iterations: int = 1000,
        curvature: Literal['auto', 'always', 'never'] = 'auto',
        precision: Literal['double', 'mixed'] = 'double',
        approximate: float = 0,
        sample_pairs: float = 0,
        choose_by: Literal['alignment', 'accuracy'] = 'accuracy',
        choose_folds: int = 5,
        folds: int = 0,
        scale_once: bool = False,
        bootstrap: int = 0,
        sparse: bool = False,
        max_loss: float = 0.01,
        features: int = 0,
        target: Literal['auto', 'classes', 'numbers'] = 'auto',
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.dim = dim
        self.preset = preset
        self.kernel = kernel
        self.sigma = sigma
        self.scale = scale
        self.shrinkage = shrinkage
        self.whiten_by = whiten_by
        self.target_kernel = target_kernel
        self.target_sigma = target_sigma
        self.target_error = target_error
        self.holdout = holdout
        self.neighbours = neighbours
        self.tolerance = tolerance
        self.stop = stop
        self.solver = solver
        self.restarts = restarts
        self.max_iterations = max_iterations
        self.curvature = curvature
        self.precision = precision
        self.approximate = approximate
        self.sample_pairs = sample_pairs
        self.choose_by = choose_by
        self.choose_folds = choose_folds
        self.folds = folds
        self.scale_once = scale_once
        self.bootstrap = bootstrap
        self.sparse = sparse
        self.max_loss = max_loss
        self.features = features
        self.target = target
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class ISMClusteringParameters:
    """Clusters, and the few directions of the data that show them.

    Parameters
    ----------
    clusters : int | Literal['auto'], default=2
        clusters to look for, in the modes unsupervised and semi, or auto: by the gap statistic.
    dim : int | Literal['auto'], default='auto'
        dimensions to keep, or auto: by held-out evidence, at least as many as the classes need.
    preset : Literal['best', 'paper'], default='best'
        what is left open: best (by held-out evidence), or paper (standard columns, sigma=median, as many
        dimensions as classes).
    kernel : str, default='gaussian(sigma=0.5*median)'
        kernel, e.g. gaussian(sigma=0.5*median), polynomial(degree=3,offset=1), or a sum such as
        0.7*gaussian(sigma=2)+0.3*linear (a weight may be auto), or auto; see 'ritz list kernels'.
    sigma : float | str | None, default=None
        width of all Gaussian kernels: a number, median, a multiple such as 0.5*median, or auto.
    scale : Literal['standard', 'center', 'none', 'whiten', 'auto'], default='auto'
        columns: standard (mean 0, deviation 1), whiten (standard, then decorrelated), center, none, or auto:
        standard or whiten by held-out evidence.
    shrinkage : float, default=0.1
        of whitening: part of the covariance that is replaced by a multiple of the identity. In [0, 1].
    whiten_by : Literal['all', 'classes'], default='all'
        of whitening: by the covariance of all samples, or by that inside the classes, as discriminant
        analysis.
    mu : float, default=0
        weight of the scores against the clusters, in the mode semi (0: balanced). In [0, 1e+12].
    label_by : Literal['auto', 'embedding', 'gaussian', 'subspace'], default='auto'
        clusters from the fitted embedding, from a Gaussian on the subspace, or by k-means of the samples in
        the subspace (auto: the embedding or that, whichever is clearer, where the kernel is left open, a
        Gaussian for polynomials, else the embedding).
    round_tolerance : float, default=0.001
        clustering modes: stop when a round moves both subspaces by at most this part. In [0, 1].
    max_rounds : int, default=500
        clustering modes: at most this many rounds. In [1, 1000000000].
    tolerance : float, default=1e-06
        stop when the first-order residual |(I - WW')PhiW| / |Phi| is at most this. In [0, 1].
    stop : Literal['residual', 'eigenvalues'], default='residual'
        what the tolerance bounds: the residual, or the relative change of the eigenvalues (the papers' rule).
    solver : Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'], default='best'
        ism, plain (ism without level shift), the rivals dg (dimension growth), sm (Stiefel manifold) and gm
        (Grassmann trust region), or best (ism, then gm where F can still climb).
    restarts : int, default=0
        random starts tried besides the spectral one; the best result is kept. In [0, 1000000].
    max_iterations : int, default=1000
        at most this many iterations. In [1, 1000000000].
    curvature : Literal['auto', 'always', 'never'], default='auto'
        second-order certificate: the largest eigenvalue of the tangent Hessian (auto: while it takes no
        longer than the fit).
    precision : Literal['double', 'mixed'], default='double'
        of the sums over pairs: double, or mixed (products of tiles in single precision).
    approximate : float, default=0
        relative error of the objective that a low-rank kernel may cause; 0: exact sums. In [0, 0.1].
    sample_pairs : float, default=0
        share of the pairs that the fit sees, drawn, with an interval for the objective over all of them; 0:
        all pairs. In [0, 1].
    sparse : bool, default=False
        drop features, fitting again without them, then small loadings, while that costs no more than
        ``max_loss``.
    max_loss : float, default=0.01
        share of the objective that a sparse basis may cost. In [0, 1].
    features : int, default=0
        name the best few: fit, drop the weakest, fit again until so many are left, and tell what they lose
        (0: do not). In [0, 1000000].
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    components_ : ndarray of shape (n_dimensions, n_features)
        The new axes, a row each, orthonormal.
    loadings_ : DataFrame of shape (n_features, n_dimensions)
        The same with names; needs pandas.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, from 0.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ritz.ISMClustering(3).fit(X).labels_.shape
    (150,)
    """

    _verb: ClassVar[str] = 'reduce'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'clusters': 0, 'dim': 'auto', 'preset': 'best', 'kernel': 'gaussian(sigma=0.5*median)', 'sigma': None,
        'scale': 'auto', 'shrinkage': 0.1, 'whiten_by': 'all', 'mu': 0, 'label_by': 'auto', 'round_tolerance':
        0.001, 'max_rounds': 500, 'tolerance': 1e-06, 'stop': 'residual', 'solver': 'best', 'restarts': 0,
        'max_iterations': 1000, 'curvature': 'auto', 'precision': 'double', 'approximate': 0, 'sample_pairs':
        0, 'sparse': False, 'max_loss': 0.01, 'features': 0,
    }

    def __init__(
        self,
        clusters: int | Literal['auto'] = 2,
        *,
        dim: int | Literal['auto'] = 'auto',
        preset: Literal['best', 'paper'] = 'best',
        kernel: str = 'gaussian(sigma=0.5*median)',
        sigma: float | str | None = None,
        scale: Literal['standard', 'center', 'none', 'whiten', 'auto'] = 'auto',
        shrinkage: float = 0.1,
        whiten_by: Literal['all', 'classes'] = 'all',
        mu: float = 0,
        label_by: Literal['auto', 'embedding', 'gaussian', 'subspace'] = 'auto',
        round_tolerance: float = 0.001,
        max_rounds: int = 500,
        tolerance: float = 1e-06,
        stop: Literal['residual', 'eigenvalues'] = 'residual',
        solver: Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'] = 'best',
        restarts: int = 0,
        max_iterations: int = 1000,
        curvature: Literal['auto', 'always', 'never'] = 'auto',
        precision: Literal['double', 'mixed'] = 'double',
        approximate: float = 0,
        sample_pairs: float = 0,
        sparse: bool = False,
        max_loss: float = 0.01,
        features: int = 0,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.clusters = clusters
        self.dim = dim
        self.preset = preset
        self.kernel = kernel
        self.sigma = sigma
        self.scale = scale
        self.shrinkage = shrinkage
        self.whiten_by = whiten_by
        self.mu = mu
        self.label_by = label_by
        self.round_tolerance = round_tolerance
        self.max_rounds = max_rounds
        self.tolerance = tolerance
        self.stop = stop
        self.solver = solver
        self.restarts = restarts
        self.max_iterations = max_iterations
        self.curvature = curvature
        self.precision = precision
        self.approximate = approximate
        self.sample_pairs = sample_pairs
        self.sparse = sparse
        self.max_loss = max_loss
        self.features = features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class AlternativeClusteringParameters:
    """A second clustering: one that differs from those that are given, in directions of its own.

    Parameters
    ----------
    clusters : int | Literal['auto'], default=2
        clusters to look for, or auto: by the gap statistic.
    round_tolerance : float, default=0.001
        stop when a round moves W and U by at most this part of the largest distance between subspaces. In [0,
        1].
    max_rounds : int, default=100
        at most this many rounds. In [1, 1000000000].
    inner_iterations : int, default=100
        at most this many iterations of the solver a round. In [1, 1000000000].
    inner_tolerance : float, default=0.0001
        the subspace of a round is solved to this residual, and better as the rounds settle. In [1e-12, 1].
    solver : Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'], default='ism'
        of the subspace: ism, plain (ism without level shift), the rivals dg (dimension growth), sm (Stiefel
        manifold) and gm (Grassmann trust region), or best.
    label_by : Literal['auto', 'embedding', 'gaussian', 'subspace'], default='auto'
        labels from the fitted embedding, from a Gaussian on the subspace (auto: that for polynomials), or by
        k-means of the samples in the subspace.
    kmeans_starts : int, default=20
        starts of k-means, of which the best is kept. In [1, 1000000].
    curvature : Literal['auto', 'always', 'never'], default='auto'
        second-order certificate: the largest eigenvalue of the tangent Hessian (auto: when it is cheap).
    precision : Literal['double', 'mixed'], default='double'
        of the sums over pairs: double, or mixed (products of tiles in single precision).
    approximate : float, default=0
        relative error of the objective that a low-rank kernel may cause; 0: exact sums. In [0, 0.1].
    sample_pairs : float, default=0
        share of the pairs that the fit sees, drawn, with an interval for the objective over all of them; 0:
        all pairs. In [0, 1].
    init : Literal['spectral', 'random'], default='spectral'
        start of the loop: spectral, or random subspaces.
    restarts : int, default=0
        random starts: that many in place of the spectral one (``init`` random, at least one) or beside it;
        the best is kept. In [0, 1000000].
    by_degree : Literal['auto', 'always', 'never'], default='auto'
        divide the kernel matrix by the roots of its row sums (auto: for kernels of positive values).
    dim : int | Literal['auto'], default='auto'
        dimensions to keep, or auto: as many as clusters, at most all columns.
    kernel : str, default='gaussian(sigma=median)'
        kernel, e.g. gaussian(sigma=0.2*median), or a sum; see 'ritz list kernels'.
    sigma : float | str | None, default=None
        width of all Gaussian kernels: a number, median, or a multiple such as 0.5*median.
    lambda_ : float | Literal['auto'], default='auto'
        how far to stay away from the given clusterings: a number, or auto (balanced).
    scale : Literal['standard', 'center', 'none', 'whiten', 'auto'], default='auto'
        columns: standard (mean 0, deviation 1), center, none, or auto: center where most entries are 0 or the
        columns are principal components, else standard.
    tune : bool, default=False
        choose width, lambda and dimension, and where no gap tells clusters apart also kernel and scale: those
        that are not given.
    tune_rows : int, default=300
        samples that settings are tried on, a random choice of all. In [20, 1000000].
    tune_resamples : int, default=4
        resamples that the stability of the labels is judged by. In [0, 1000].
    views : int, default=1
        clusterings to find, each new against all before; files of the second get the ending .2. In [1, 1000].
    permutations : int, default=19
        how often the first clustering is looked for again in shuffled columns, for a p value of its quality.
        In [0, 10000].
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    components_ : ndarray of shape (n_dimensions, n_features)
        The new axes, a row each, orthonormal.
    loadings_ : DataFrame of shape (n_features, n_dimensions)
        The same with names; needs pandas.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, from 0.
    views_ : list of ndarray
        The labels of all clusterings found, the first of which is ``labels_``.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> X, truth = ritz.datasets.generate('small-gauss', samples=80, return_X_y=True)
    >>> ritz.AlternativeClustering(2, dim=1).fit(X, truth).labels_.shape
    (80,)
    """

    _verb: ClassVar[str] = 'recluster'
    _renamed: ClassVar[dict[str, str]] = {'lambda_': 'lambda'}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'clusters': 0, 'round_tolerance': 0.001, 'max_rounds': 100, 'inner_iterations': 100,
        'inner_tolerance': 0.0001, 'solver': 'ism', 'label_by': 'auto', 'kmeans_starts': 20, 'curvature':
        'auto', 'precision': 'double', 'approximate': 0, 'sample_pairs': 0, 'init': 'spectral', 'restarts': 0,
        'by_degree': 'auto', 'dim': 'auto', 'kernel': 'gaussian(sigma=median)', 'sigma': None, 'lambda_':
        'auto', 'scale': 'auto', 'tune': False, 'tune_rows': 300, 'tune_resamples': 4, 'views': 1,
        'permutations': 19,
    }

    def __init__(
        self,
        clusters: int | Literal['auto'] = 2,
        *,
        round_tolerance: float = 0.001,
        max_rounds: int = 100,
        inner_iterations: int = 100,
        inner_tolerance: float = 0.0001,
        solver: Literal['ism', 'plain', 'dg', 'sm', 'gm', 'best'] = 'ism',
        label_by: Literal['auto', 'embedding', 'gaussian', 'subspace'] = 'auto',
        kmeans_starts: int = 20,
        curvature: Literal['auto', 'always', 'never'] = 'auto',
        precision: Literal['double', 'mixed'] = 'double',
        approximate: float = 0,
        sample_pairs: float = 0,
        init: Literal['spectral', 'random'] = 'spectral',
        restarts: int = 0,
        by_degree: Literal['auto', 'always', 'never'] = 'auto',
        dim: int | Literal['auto'] = 'auto',
        kernel: str = 'gaussian(sigma=median)',
        sigma: float | str | None = None,
        lambda_: float | Literal['auto'] = 'auto',
        scale: Literal['standard', 'center', 'none', 'whiten', 'auto'] = 'auto',
        tune: bool = False,
        tune_rows: int = 300,
        tune_resamples: int = 4,
        views: int = 1,
        permutations: int = 19,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.clusters = clusters
        self.round_tolerance = round_tolerance
        self.max_rounds = max_rounds
        self.inner_iterations = inner_iterations
        self.inner_tolerance = inner_tolerance
        self.solver = solver
        self.label_by = label_by
        self.kmeans_starts = kmeans_starts
        self.curvature = curvature
        self.precision = precision
        self.approximate = approximate
        self.sample_pairs = sample_pairs
        self.init = init
        self.restarts = restarts
        self.by_degree = by_degree
        self.dim = dim
        self.kernel = kernel
        self.sigma = sigma
        self.lambda_ = lambda_
        self.scale = scale
        self.tune = tune
        self.tune_rows = tune_rows
        self.tune_resamples = tune_resamples
        self.views = views
        self.permutations = permutations
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class PairwiseKernelParameters:
    """A kernel, and clusters, from pairs of samples that belong together or apart.

    Parameters
    ----------
    clusters : int | Literal['auto'], default=0
        clusters to make with the kernel; auto: by the gap statistic of the samples; 0: as many as the truth
        has classes.
    fraction : float, default=0
        draw pairs from the labels until the must-links leave this part of n groups; smaller: more pairs. 0:
        with y and no pairs, 0.7. In [0, 1].
    closure : Literal['closed', 'raw'], default='closed'
        add the pairs that follow from the given ones, or take them raw.
    on_conflict : Literal['error', 'drop', 'soft'], default='error'
        contradictory pairs: explain and end, drop as few as can be, or keep all and let the loss weigh them.
    neighbours : int, default=0
        neighbours of each sample in the graph; 0: 10, or 5 where pairs that are kept back speak for it. In
        [0, 16777216].
    graph : Literal['mutual', 'union', 'b-matching'], default='union'
        join samples that are each other's neighbours, or one the other's, or b-matching: such that each has
        exactly so many neighbours and all edges together are shortest.
    scale : Literal['auto', 'standard', 'center', 'none'], default='auto'
        columns: standard (deviation 1), center, none, or auto: standard or none, whichever pairs that are
        kept back speak for; none for sparse data.
    active : int, default=0
        keep only pairs that name one of this many samples of which a linear fit is least certain; 0: all. In
        [0, 1073741824].
    suggest : int, default=0
        print this many pairs most worth asking about next. In [0, 16777216].
    normalise_rows : bool, default=True
        cluster the rows of the factor at length 1: the angles that the kernel gives, not its sizes.
    restarts : int, default=20
        starts of k-means, of which the best is kept. In [1, 1000000].
    loss : str, default='square-hinge'
        loss of a pair: linear|square-hinge|hinge|square.
    penalty : float, default=1
        weight C of the pairs against smoothness on the graph. In [1e-12, 1e+12].
    ridge : float, default=0
        weight G of tr K^p / p; 0: 0.01 below 1000 samples, 0.001 from there on. In [0, 1e+12].
    budget : float, default=0
        bound B of tr K^p, instead of a ridge; 0: none. In [0, 1e+18].
    power : float, default=2
        power p of tr K^p; 1 needs a budget. In [1, 100].
    solver : Literal['automatic', 'newton', 'lbfgsb', 'gradient', 'csdp'], default='automatic'
        how the dual is maximised, or csdp: the general solver, if installed.
    tolerance : float, default=1e-06
        stop when duality gap <= tolerance * |objective|. In [0, 1].
    max_iterations : int, default=1000
        at most this many steps. In [1, 100000000].
    low_rank : int, default=0
        look for K among the kernels on this many smoothest vectors of the graph: another estimator, not an
        approximation; 0: off. In [0, 1000000].
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, from 0.
    pairs_ : dict of ndarray
        The pairs that were used: i, j, link (+1, -1), alpha and kernel value.
    suggestions_ : ndarray of shape (suggest, 2)
        Pairs most worth asking about next.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> X, y = ritz.datasets.generate('chessboard', samples=40, return_X_y=True)
    >>> ritz.PairwiseKernel(2).fit(X, must_link=[(0, 2)], cannot_link=[(0, 1)]).labels_.shape
    (40,)
    """

    _verb: ClassVar[str] = 'kernel'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'clusters': 0, 'fraction': 0, 'closure': 'closed', 'on_conflict': 'error', 'neighbours': 0, 'graph':
        'union', 'scale': 'auto', 'active': 0, 'suggest': 0, 'normalise_rows': True, 'restarts': 20, 'loss':
        'square-hinge', 'penalty': 1, 'ridge': 0, 'budget': 0, 'power': 2, 'solver': 'automatic', 'tolerance':
        1e-06, 'max_iterations': 1000, 'low_rank': 0,
    }

    def __init__(
        self,
        clusters: int | Literal['auto'] = 0,
        *,
        fraction: float = 0,
        closure: Literal['closed', 'raw'] = 'closed',
        on_conflict: Literal['error', 'drop', 'soft'] = 'error',
        neighbours: int = 0,
        graph: Literal['mutual', 'union', 'b-matching'] = 'union',
        scale: Literal['auto', 'standard', 'center', 'none'] = 'auto',
        active: int = 0,
        suggest: int = 0,
        normalise_rows: bool = True,
        restarts: int = 20,
        loss: str = 'square-hinge',
        penalty: float = 1,
        ridge: float = 0,
        budget: float = 0,
        power: float = 2,
        solver: Literal['automatic', 'newton', 'lbfgsb', 'gradient', 'csdp'] = 'automatic',
        tolerance: float = 1e-06,
        max_iterations: int = 1000,
        low_rank: int = 0,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.clusters = clusters
        self.fraction = fraction
        self.closure = closure
        self.on_conflict = on_conflict
        self.neighbours = neighbours
        self.graph = graph
        self.scale = scale
        self.active = active
        self.suggest = suggest
        self.normalise_rows = normalise_rows
        self.restarts = restarts
        self.loss = loss
        self.penalty = penalty
        self.ridge = ridge
        self.budget = budget
        self.power = power
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.low_rank = low_rank
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class VarianceUnfoldingParameters:
    """Few dimensions that keep the distances of neighbours, or who they are.

    Parameters
    ----------
    dim : int, default=2
        dimensions of the embedding. In [1, 10000].
    method : Literal['mvu', 'cmvu', 'mve', 'spe', 'pca', 'kpca'], default='mvu'
        mvu: as wide as distances allow; cmvu: wide along the labels; mve: wide in the dimensions asked for,
        narrow in the others; spe: keeps who is whose neighbour; pca, kpca: baselines.
    neighbours : int, default=5
        neighbours of each sample in the graph, and of a new sample in 'ritz transform'. In [1, 16777216].
    graph_kind : Literal['mutual', 'union', 'b-matching'], default='union'
        join samples that are each other's neighbours, or one the other's, or b-matching: such that each has
        exactly so many neighbours and all edges together are shortest.
    connect : bool, default=True
        more neighbours until the graph is connected; without a limit that is so anyway, unless components is
        each.
    components : Literal['together', 'each'], default='together'
        parts of a graph that no edge joins: embedded together, or each by itself, then side by side.
    scale : Literal['auto', 'msn', 'standard', 'center', 'none'], default='auto'
        standard: columns of deviation 1; msn: centred, mean squared norm 1; center; none; auto: standard, msn
        for sparse data.
    unlabelled : str | None, default=None
        label of the samples whose class is not known.
    penalty : float, default=0
        weight C of the distances (spe: of the order of neighbours); 0: as much as keeps squared distances to
        about a hundredth, the long ones counting most (spe: as much as keeps the order; 1 with a ridge or
        budget). In [0, 1e+18].
    ridge : float, default=0
        weight G of tr K^2 / 2; 0: none. In [0, 1e+12].
    budget : float, default=0
        bound B of tr K^2; 0: none (spe: the number of samples). In [0, 1e+18].
    smooth : int, default=0
        embed within this many of the graph's smoothest vectors; 0: where more than 5000 samples have a graph
        too dense to be embedded freely, 100; as many as samples: never. In [0, 16777216].
    solver : Literal['automatic', 'newton', 'lbfgsb', 'gradient', 'csdp'], default='automatic'
        how the dual is maximised, or csdp: the general solver, if installed.
    tolerance : float, default=0
        stop when duality gap <= tolerance * |objective|; 0: 1e-6 with a ridge or budget, 0.01 without, 0.001
        for cmvu, spe and a bounded mve. In [0, 1].
    max_iterations : int, default=20000
        at most this many steps of a fit. In [1, 100000000].
    rounds : int, default=100
        mve: fits, at most; spe: rounds of new constraints, at most. In [1, 100000].
    max_work : float, default=300000000000.0
        spe: whole spectra, at n^3 each, of n samples that the rounds may take, about; 3e11: a minute. In [1,
        1e+30].
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    graph_ : dict of ndarray
        The edges: i, j, and the squared distance before and after.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> X = ritz.datasets.generate('swiss-roll', samples=100).X
    >>> ritz.VarianceUnfolding(2).fit_transform(X).shape
    (100, 2)
    """

    _verb: ClassVar[str] = 'unfold'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'dim': 2, 'method': 'mvu', 'neighbours': 5, 'graph_kind': 'union', 'connect': False, 'components':
        'together', 'scale': 'auto', 'unlabelled': None, 'penalty': 0, 'ridge': 0, 'budget': 0, 'smooth': 0,
        'solver': 'automatic', 'tolerance': 0, 'max_iterations': 20000, 'rounds': 100, 'max_work':
        300000000000.0,
    }

    def __init__(
        self,
        dim: int = 2,
        *,
        method: Literal['mvu', 'cmvu', 'mve', 'spe', 'pca', 'kpca'] = 'mvu',
        neighbours: int = 5,
        graph_kind: Literal['mutual', 'union', 'b-matching'] = 'union',
        connect: bool = True,
        components: Literal['together', 'each'] = 'together',
        scale: Literal['auto', 'msn', 'standard', 'center', 'none'] = 'auto',
        unlabelled: str | None = None,
        penalty: float = 0,
        ridge: float = 0,
        budget: float = 0,
        smooth: int = 0,
        solver: Literal['automatic', 'newton', 'lbfgsb', 'gradient', 'csdp'] = 'automatic',
        tolerance: float = 0,
        max_iterations: int = 20000,
        rounds: int = 100,
        max_work: float = 300000000000.0,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.dim = dim
        self.method = method
        self.neighbours = neighbours
        self.graph_kind = graph_kind
        self.connect = connect
        self.components = components
        self.scale = scale
        self.unlabelled = unlabelled
        self.penalty = penalty
        self.ridge = ridge
        self.budget = budget
        self.smooth = smooth
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.rounds = rounds
        self.max_work = max_work
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class NearIsometryParameters:
    """The fewest linear measurements of samples that keep their distances.

    Parameters
    ----------
    distortion : float, default=0.25
        how much a squared distance may change: a factor in [1 - distortion, 1 + distortion]. Not asked for
        with ``prefixes`` or ``objective='recall'``.
    rank : int, default=0
        measurements; 0: as few as are found. In [0, 16777216].
    method : Literal['auto', 'numax', 'fromax', 'nile'], default='auto'
        auto: smooth feasibility and rank adjustment; numax: nuclear norm; fromax: Frobenius norm; nile: the
        largest distortion itself.
    tolerance : float, default=0.001
        numax stops when its trace is within tolerance * trace of the lower bound. In [0, 1].
    max_iterations : int, default=0
        at most this many steps of one solve; 0: 3000, of nile 50000. In [0, 100000000].
    rounds : int, default=60
        sweeps over all pairs for one rank, at most: each adds the worst pairs to the working set. In [1,
        100000].
    eta : float, default=0.1
        nile: length of the first step. In [1e-12, 1e+12].
    beta : float, default=0
        nile: beta of its Lagrangian; 0: 1 / (4 * distortion). In [0, 1e+12].
    beta1 : float, default=0
        fromax: beta1, of the pairs; 0: 20 * columns / pairs. In [0, 1e+12].
    beta2 : float, default=1
        fromax: beta2, of the two factors. In [1e-12, 1e+12].
    secants : str, default='all'
        the pairs whose distances are kept: all, sample:N at random, or nearest:K of each sample.
    recall : int, default=0
        report how many of the K nearest neighbours stay so; 0: not measured. In [0, 100000].
    objective : Literal['distortion', 'recall'], default='distortion'
        distortion: every distance is kept; recall: at ``rank`` the nearest neighbours are, for search
        (``recall`` of them, or 10).
    holdout : float, default=0
        share of the samples that a second fit does not see: how well their distances are kept; 0: none. In
        [0, 0.9].
    prefixes : int | Sequence[int] | str | None, default=None
        numbers of rows, increasing, with commas between them: one projection whose first rows, so many, keep
        distances about as well as a projection of their own.
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    components_ : ndarray of shape (rank, n_features)
        The measurements, a row each: y = P x.
    loadings_ : DataFrame of shape (n_features, n_dimensions)
        The same with names; needs pandas.
    rank_ : int
        How many they are.
    distortion_ : float
        The largest change of a squared distance, measured over the pairs.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ritz.NearIsometry(0.4).fit(X).distortion_ <= 0.4
    True
    """

    _verb: ClassVar[str] = 'isometry'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'distortion': 0, 'rank': 0, 'method': 'auto', 'tolerance': 0.001, 'max_iterations': 0, 'rounds': 60,
        'eta': 0.1, 'beta': 0, 'beta1': 0, 'beta2': 1, 'secants': 'all', 'recall': 0, 'objective':
        'distortion', 'holdout': 0, 'prefixes': None,
    }

    def __init__(
        self,
        distortion: float = 0.25,
        *,
        rank: int = 0,
        method: Literal['auto', 'numax', 'fromax', 'nile'] = 'auto',
        tolerance: float = 0.001,
        max_iterations: int = 0,
        rounds: int = 60,
        eta: float = 0.1,
        beta: float = 0,
        beta1: float = 0,
        beta2: float = 1,
        secants: str = 'all',
        recall: int = 0,
        objective: Literal['distortion', 'recall'] = 'distortion',
        holdout: float = 0,
        prefixes: int | Sequence[int] | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.distortion = distortion
        self.rank = rank
        self.method = method
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.rounds = rounds
        self.eta = eta
        self.beta = beta
        self.beta1 = beta1
        self.beta2 = beta2
        self.secants = secants
        self.recall = recall
        self.objective = objective
        self.holdout = holdout
        self.prefixes = prefixes
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback


class SubspaceCenterParameters:
    """What linear subspaces have in common, and in how many dimensions.

    Parameters
    ----------
    dim : int | Literal['auto'], default='auto'
        dimensions of the centre, or auto: by the rule, which may say none.
    method : Literal['minimax', 'mean', 'median', 'karcher', 'flag'], default='minimax'
        what is least: minimax the largest distance; mean the sum of squared chordal distances; median the sum
        of chordal distances, which few outliers hardly move; karcher the sum of squared angles; flag: the
        means of all dimensions, nested.
    rule : Literal['hybrid', 'proposed', 'santamaria', 'elbow'], default='hybrid'
        how auto decides: hybrid, proposed (both of the paper), santamaria or elbow.
    max_dim : int, default=0
        largest dimension that auto looks at; 0: that of the largest subspace. In [0, 1000000000].
    complement : Literal['space', 'span'], default='space'
        where the proposed rule takes the centre's complement: in the whole space, as printed, or in the span
        of the data.
    drop_outliers : bool, default=False
        leave out the subspaces that do not belong, and find the centre of the others.
    rank : int, default=0
        dimensions taken from each matrix, those of its largest singular values; 0: the whole span. In [0,
        1000000000].
    energy : float, default=0
        as many dimensions as hold this share of the squared singular values; 0: the whole span. In [0, 1].
    center_groups : bool, default=False
        with y: take each group's mean off its samples first, so that the means do not decide.
    solver : Literal['newton', 'subgradient', 'subgradient_printed', 'renard'], default='newton'
        newton; or the baselines: subgradient (Algorithm A.1), subgradient_printed (as printed, never at the
        border of the simplex), renard.
    step : Literal['adaptive', 'constant', 'length', 'root', 'harmonic'], default='adaptive'
        step rule of the subgradient solvers: adaptive (Algorithm A.1), constant a, length a/|g|, root
        a/sqrt(t), harmonic a/(1+t).
    step_size : float, default=1
        a of the step rule. In [1e-12, 1e+12].
    tolerance : float, default=1e-10
        stop when the duality gap, or where strong duality fails the bracket of the best dual value, is at
        most this; for mean, median, karcher and flag: the squared norm of the gradient. In [0, 1].
    max_iterations : int, default=1000
        at most this many rounds, or steps of a baseline. In [1, 100000000].
    starts : int, default=100
        random starts of the primal where a gap is left; fewer in many dimensions. In [0, 100000].
    n_jobs : int | None, default=None
        threads; None or -1: all cores. The result has the same bits for any number.
    random_state : int | np.random.RandomState | None, default=0
        seed of all random draws.
    max_memory : int | str | None, default=None
        memory budget in bytes, or a text such as '2G'; more is refused before the work begins. None: what is
        free.
    time_limit : float | None, default=None
        seconds; then the best result so far is kept.
    backend : str, default='cpu'
        where the heavy sums run.
    verbose : int, default=0
        1: a line of progress (a bar where tqdm is installed).
    callback : Callable[[str, int, float, float, float], object] | None, default=None
        called after every iteration with its path, number, objective, measure and seconds; true stops the
        run, and the best result is kept.

    Attributes
    ----------
    components_ : ndarray of shape (order, n_features)
        An orthonormal basis of the centre, a row each.
    loadings_ : DataFrame of shape (n_features, n_dimensions)
        The same with names; needs pandas.
    order_ : int
        Dimensions of the centre; 0: nothing in common.
    distances_ : ndarray of shape (n_subspaces,)
        Squared distance of each subspace to the centre.
    weights_ : ndarray of shape (n_subspaces,)
        What each counts; those that are farthest carry it.
    embedding_ : ndarray of shape (n_samples, n_dimensions)
        The fitted samples in the new space.
    certificate_ : dict
        Numbers that tell how good the result is, whatever found it.
    result_ : dict
        What was found, as the program's JSON object has it.
    options_ : dict
        All options as they were used; ``auto`` and 0 are replaced by what was chosen.
    history_ : dict of ndarray
        One array a column, an entry an iteration: iteration, objective, measure, seconds, …
    n_iter_ : int
        Iterations.
    objective_ : float
        What was made large or small, at the end.
    converged_ : bool
        Whether the iteration settled; otherwise ``message_`` says why it ended.
    message_ : str
        Why the iteration ended.
    notes_ : list of str
        What one should know: a constant column, a dropped pair.
    summary_ : str
        The result on one screen, for people.
    model_ : Model
        What ``transform``, ``predict``, ``check`` and ``save`` work with.
    n_features_in_ : int
        Number of features of the fitted samples.
    feature_names_in_ : ndarray of str
        Their names, where X was a data frame with texts as column names.

    Examples
    --------
    >>> import ritz
    >>> bases = ritz.datasets.generate('nested-ball').bases()
    >>> ritz.SubspaceCenter(2).fit(bases).components_.shape[0]
    2
    """

    _verb: ClassVar[str] = 'center'
    _renamed: ClassVar[dict[str, str]] = {}
    # What the library takes where nothing is said.
    _standard: ClassVar[dict[str, Any]] = {
        'dim': 'auto', 'method': 'minimax', 'rule': 'hybrid', 'max_dim': 0, 'complement': 'space',
        'drop_outliers': False, 'rank': 0, 'energy': 0, 'center_groups': False, 'solver': 'newton', 'step':
        'adaptive', 'step_size': 1, 'tolerance': 1e-10, 'max_iterations': 1000, 'starts': 100,
    }

    def __init__(
        self,
        dim: int | Literal['auto'] = 'auto',
        *,
        method: Literal['minimax', 'mean', 'median', 'karcher', 'flag'] = 'minimax',
        rule: Literal['hybrid', 'proposed', 'santamaria', 'elbow'] = 'hybrid',
        max_dim: int = 0,
        complement: Literal['space', 'span'] = 'space',
        drop_outliers: bool = False,
        rank: int = 0,
        energy: float = 0,
        center_groups: bool = False,
        solver: Literal['newton', 'subgradient', 'subgradient_printed', 'renard'] = 'newton',
        step: Literal['adaptive', 'constant', 'length', 'root', 'harmonic'] = 'adaptive',
        step_size: float = 1,
        tolerance: float = 1e-10,
        max_iterations: int = 1000,
        starts: int = 100,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        max_memory: int | str | None = None,
        time_limit: float | None = None,
        backend: str = 'cpu',
        verbose: int = 0,
        callback: Callable[[str, int, float, float, float], object] | None = None,
    ) -> None:
        self.dim = dim
        self.method = method
        self.rule = rule
        self.max_dim = max_dim
        self.complement = complement
        self.drop_outliers = drop_outliers
        self.rank = rank
        self.energy = energy
        self.center_groups = center_groups
        self.solver = solver
        self.step = step
        self.step_size = step_size
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.starts = starts
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_memory = max_memory
        self.time_limit = time_limit
        self.backend = backend
        self.verbose = verbose
        self.callback = callback
