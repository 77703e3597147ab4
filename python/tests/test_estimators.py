# SPDX-License-Identifier: MIT
"""The checks that scikit-learn has for every estimator."""
import warnings

import pytest
import ritz
from sklearn.utils.estimator_checks import check_estimator

# As they are: nothing may have to be told.
ESTIMATORS = [ritz.ISM(), ritz.ISMClustering(), ritz.AlternativeClustering(), ritz.PairwiseKernel(), ritz.VarianceUnfolding(),
              ritz.NearIsometry(), ritz.SubspaceCenter()]

# (estimator, check): why it is left out. It must not grow.
SKIPPED = {}


def checks():
    for estimator in ESTIMATORS:
        for made, check in check_estimator(estimator, generate_only=True):
            function = getattr(check, "func", check)
            yield pytest.param(made, check, id=f"{type(made).__name__}-{function.__name__}")


@pytest.mark.parametrize("estimator, check", checks())
def test_scikit_learns_checks_hold(estimator, check):
    function = getattr(check, "func", check)
    reason = SKIPPED.get((type(estimator).__name__, function.__name__))
    if reason:
        pytest.skip(reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_no_check_is_skipped_beyond_the_list():
    assert len(SKIPPED) <= 0


def test_every_estimator_has_a_docstring_with_its_parameters():
    for name in ("ISM", "ISMClustering", "AlternativeClustering", "PairwiseKernel", "VarianceUnfolding", "NearIsometry",
                 "SubspaceCenter"):
        kind = getattr(ritz, name)
        for parameter in kind().get_params():
            assert f"\n    {parameter} : " in kind.__doc__, (name, parameter)
