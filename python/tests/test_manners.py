# SPDX-License-Identifier: MIT
"""Interruption, progress, warnings, threads, memory, and what an import costs."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import ritz
from sklearn.exceptions import ConvergenceWarning


# All that the library would otherwise choose by itself, with fits of its own.
PLAIN = dict(kernel="gaussian(sigma=median)", scale="standard", solver="ism", curvature="never")


@pytest.fixture(scope="module")
def large():
    """Minutes of work with a tolerance that is never met."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 40))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.fixture(autouse=True)
def listening():
    """A background job of a shell is started deaf to SIGINT, and Python leaves it so: the fits below would never end."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def endless(**more):
    return ritz.ISM(4, tolerance=0, max_iterations=10**6, **PLAIN, **more)


def test_ctrl_c_ends_a_fit_and_keeps_the_best_result(large):
    estimator = endless(callback=lambda path, iteration, *rest: os.kill(os.getpid(), signal.SIGINT) if iteration == 2 else None)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(*large)
    assert estimator.stop_reason_ in ("interrupted", "stopped_by_observer") and not estimator.converged_
    assert estimator.transform(large[0]).shape == (3000, 4)


def test_ctrl_c_before_the_first_result_leaves_the_estimator_as_it_was(large):
    estimator = ritz.ISM(4, **PLAIN)
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    big = np.tile(large[0], (8, 1)) + np.arange(8).repeat(3000)[:, None]
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(big, np.tile(large[1], 8))
    timer.join()


def test_a_callback_sees_every_iteration_and_may_stop(large):
    seen = []

    def callback(path, iteration, objective, measure, seconds):
        seen.append((path, iteration))
        assert np.isfinite([objective, seconds]).all()
        return iteration == 3

    estimator = endless(callback=callback).fit(*large)
    assert [iteration for _, iteration in seen] == [1, 2, 3]
    assert estimator.n_iter_ == 3 and estimator.stop_reason_ == "stopped_by_observer"


def test_a_callback_that_says_stop_once_ends_the_whole_fit(wine):
    """Settings are tried before the fit itself: stopping one trial is not stopping."""
    heard = []
    fitted = ritz.ISM(callback=lambda *progress: heard.append(progress) or len(heard) == 1).fit(*wine)
    assert len(heard) == 1 and fitted.stop_reason_ == "stopped_by_observer" and fitted.embedding_.shape[0] == 178


def test_what_a_callback_raises_comes_through(large):
    def callback(*progress):
        raise LookupError("from the callback")
    estimator = endless(callback=callback)
    with pytest.raises(LookupError, match="from the callback"):
        estimator.fit(*large)
    assert estimator.n_iter_ == 1  # the best result is kept


def test_not_converging_is_a_warning_with_the_reason(wine):
    with pytest.warns(ConvergenceWarning, match="iteration limit"):
        estimator = ritz.ISM(2, max_iterations=1, tolerance=1e-12, **PLAIN).fit(*wine)
    assert not estimator.converged_ and "limit" in estimator.message_


def test_a_time_limit_keeps_the_best_result(large):
    with pytest.warns(ConvergenceWarning, match="time limit"):
        assert endless(time_limit=2.0).fit(large[0][:300], large[1][:300]).stop_reason_ == "time_limit"


def test_verbose_shows_progress(wine, capsys):
    ritz.ISM(2, verbose=1).fit(*wine)
    assert "objective" in capsys.readouterr().err
    ritz.ISM(2).fit(*wine)
    assert capsys.readouterr() == ("", "")


def test_progress_without_tqdm_is_a_plain_line(wine, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    ritz.ISM(2, verbose=1).fit(*wine)
    assert capsys.readouterr().err.count("objective") >= 1


def test_progress_in_a_log_is_a_line_a_second_at_most(wine, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    start = time.monotonic()
    ritz.ISM(verbose=1).fit(*wine)  # hundreds of steps: dimensions and settings are tried
    lines = capsys.readouterr().err.count("objective")
    assert 1 <= lines <= 1 + time.monotonic() - start


def test_the_lock_is_free_during_a_fit(large):
    """Another thread goes on, and a second fit gives the same bits as when alone."""
    alone = ritz.ISM(2, max_iterations=2, tolerance=0, n_jobs=1, **PLAIN)
    count, stop = [0], threading.Event()

    def spin():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.0005)

    results = {}

    def fit(name):
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results[name] = alone.__class__(**alone.get_params()).fit(*large).embedding_

    threads = [threading.Thread(target=spin), threading.Thread(target=fit, args=("one",)),
               threading.Thread(target=fit, args=("two",))]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join()
    stop.set()
    threads[0].join()
    assert count[0] > 5
    assert np.array_equal(results["one"], results["two"])


def in_a_fresh_process(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_brings_in_nothing_that_is_not_needed():
    code = "import ritz, sys; print([m for m in ('matplotlib', 'pandas', 'sklearn', 'scipy', 'tqdm') if m in sys.modules])"
    assert in_a_fresh_process(code).strip() == "[]"


def test_versions_are_shown():
    text = in_a_fresh_process("import ritz; ritz.show_versions()")
    assert "ritz" in text and "numpy" in text and "backend cpu" in text


MEMORY = """
import sys
import numpy as np, ritz, warnings
warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(20000, 300)); y = np.arange(20000) % 3
ritz.ISM(2, kernel="linear", solver="ism", scale=sys.argv[1]).fit(X[:500], y[:500])
def peak():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
before = peak()
ritz.ISM(2, kernel="linear", solver="ism", scale=sys.argv[1], curvature="never").fit(X, y)
print((peak() - before) / X.nbytes)
"""


def test_a_fit_takes_no_copy_of_its_own():
    """Beside the scaled one that is part of the method."""
    grown = [float(subprocess.run([sys.executable, "-c", MEMORY, scale], capture_output=True, text=True, check=True).stdout)
             for scale in ("none", "standard")]
    assert grown[0] < 0.5 and grown[1] < 1.5, grown


def test_samples_may_go_away_while_the_estimator_stays(wine):
    X = np.ascontiguousarray(wine[0], dtype=float)
    estimator = ritz.ISM(2, **PLAIN).fit(X, wine[1])
    kept, before = estimator.transform(X.copy()), X.copy()
    X[:] = np.nan  # the fit has borrowed it; nothing of it is looked at any more
    del X
    assert np.array_equal(estimator.transform(before), kept)
    assert estimator.check(before).holds


def test_a_small_fit_is_hardly_longer_than_the_library_needs(wine):
    """What the binding adds: the library works in a thread of its own, the rest is the caller's time on a processor."""
    X, y = np.ascontiguousarray(wine[0], dtype=float)[:30], np.asarray(wine[1])[:30]
    estimator = ritz.ISM(1, kernel="linear", n_jobs=1, **{name: PLAIN[name] for name in ("scale", "solver", "curvature")})
    y = np.where(np.arange(30) % 2, "a", "b")
    added = []
    for _ in range(40):
        start = time.thread_time()
        estimator._solve(X, labels=y)
        added.append(time.thread_time() - start)
    assert min(added) < 0.001, min(added)


def test_a_process_forked_after_a_fit_fits_the_same(wine):
    how = dict(kernel="gaussian(sigma=median)", n_jobs=2)
    before = ritz.ISM(2, **how).fit(*wine).embedding_
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(ritz.ISM(2, **how).fit(*wine).embedding_, before) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_contiguous_doubles_go_in_as_they_are(wine):
    X = np.ascontiguousarray(wine[0], dtype=float)
    X.setflags(write=False)
    assert ritz.ISM(2)._samples(X, reset=True) is X
    ritz.ISM(2).fit(X, wine[1])
