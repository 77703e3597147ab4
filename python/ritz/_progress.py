# SPDX-License-Identifier: MIT
"""What `verbose` shows while a fit runs."""
from __future__ import annotations

import math
import sys
import time
from typing import Any, Callable


class Bar:
    """How far the measure has come on its way to the goal, on a scale of powers of ten: tqdm where it is installed."""

    def __init__(self, title: str, goal: float) -> None:
        self.title, self.goal = title, goal
        self.first: float | None = None
        self.bar: Any = None
        self.terminal = False
        self.next = 0.0  # when something may be shown again
        try:
            from tqdm.auto import tqdm
            self.bar = tqdm(total=100, desc=title, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}| {postfix}")
        except ImportError:
            self.terminal = sys.stderr.isatty()

    def share(self, measure: float) -> float:
        if not (measure > 0 and self.goal > 0):
            return 0.0 if measure > 0 or math.isnan(measure) else 1.0
        self.first = max(self.first or measure, measure)
        if measure <= self.goal or self.first <= self.goal:
            return 1.0
        return math.log(self.first / measure) / math.log(self.first / self.goal)

    def __call__(self, path: str, iteration: int, objective: float, measure: float, seconds: float) -> None:
        if (now := time.monotonic()) < self.next:  # a fit may have thousands of steps: a log is to stay readable
            return
        self.next = now + (0.1 if self.bar is not None or self.terminal else 1.0)
        text = f"{path} {iteration}: objective {objective:.6g}, measure {measure:.1e} (goal {self.goal:.0e}), {seconds:.1f} s"
        if self.bar is not None:
            self.bar.set_postfix_str(text, refresh=False)
            self.bar.n = round(100 * self.share(measure), 1)
            self.bar.refresh()
        else:
            print(("\r\033[K" if self.terminal else "") + f"{self.title}  {text}", end="" if self.terminal else "\n",
                  file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def observer_of(callback: Callable[..., Any] | None, bar: Bar | None) -> Callable[..., Any] | None:
    if bar is None or callback is None:
        return callback or bar
    shown, heard = bar, callback

    def both(*progress: Any) -> Any:
        shown(*progress)
        return heard(*progress)

    return both
