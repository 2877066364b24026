#!/usr/bin/env python3
"""Fit the weights of confidence (analyses/ranking.toml) on findings that were read, and judge them on others.

    calibrate.py FINDINGS ... [--judge FINDINGS ...] [--ordinary FINDINGS ... --commits N] [--keep] [--write]
    calibrate.py --verdicts VERDICTS ... [--write]

FINDINGS are what `run.py --findings` writes. Of these, the ones with the verdict `true` or `false` count; findings
whose null has one origin count as one. Of the findings of pull requests, those that a report shows are read more often
than unlikely ones: each that was read stands for as many as there are of its kind. Findings of fixes were chosen
because they are true, so all true ones weigh as much as the true ones weigh among the findings of pull requests
("Logistic Regression in Rare Events Data", King and Zeng, 2001, section 4.2): a probability is that of a finding of a
pull request, shown or not. A weight is fitted by logistic regression with a penalty on large ones, whose strength is
chosen by what was left out. `--keep`: what ranking.toml has stays, and only the weights of features that it does not
have are fitted.

A report shows findings from the largest probability on that keeps nine in ten of the true ones of repositories that
were left out; but of ordinary commits at most one in twenty may get a new finding. `--ordinary`: the new findings of
such commits, and how many commits there were.

Printed are, with each repository judged by the weights of all others: how many of the findings with a probability are
true (reliability), what each threshold shows, and how well they are ordered. `--judge`: findings that are judged by the
final weights alone, and never fitted on. `--write`: write the weights.

Alias findings have no features. Their probability is the share of true ones among those that were read, from VERDICTS:
the files of this folder, and lines of JSON with `rule` and `verdict`. Half a finding of each verdict is added
(Jeffreys' prior), so that few of them say little.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from tables import table

from pliant.analyses.ranking import HIGH, MEDIUM

RANKING = Path(__file__).parents[2] / "analyses/ranking.toml"
STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0)
KEPT = 0.9  # of the true findings, the share that a report shows
NOISE = 0.05  # new findings of an ordinary commit, at most
HEAD = """\
# How likely a finding is true, by what it rests on (analyses/features.py): the logistic function of the bias and of
# each feature times its weight; and for other rules the share that was true. Made by benchmarks/fixes/calibrate.py;
# docs/real-fixes.md says how good it is.
"""
_BIAS = "bias"
OTHERS = ("alias",)  # what the names of rules begin with whose findings have no features


@dataclass(frozen=True, slots=True)
class Labels:
    """Findings as rows of numbers, of which the first is 1 for the bias. true: 0 or 1. weights: of rows, so that
    findings of one origin count as one, those that were read stand for all, and the true ones have the share that they
    have among findings that were not chosen. offsets: what is known of their log odds."""

    names: Sequence[str]
    rows: NDArray[np.float64]
    offsets: NDArray[np.float64]
    true: NDArray[np.int64]
    weights: NDArray[np.float64]
    repositories: NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Written:
    """What is in ranking.toml."""

    shown: float
    bias: float
    weights: Mapping[str, float]
    shares: Mapping[str, float]

    @classmethod
    def read(cls) -> Written:
        data = tomllib.loads(RANKING.read_text(encoding="utf-8"))
        return cls(data["shown"], data["bias"], data["weights"], data["shares"])

    def text(self) -> str:
        parts = [HEAD, f"shown = {self.shown:.2f}", f"bias = {self.bias:.2f}", "", "[weights]"]
        parts += [f'"{name}" = {weight:.2f}' for name, weight in sorted(self.weights.items()) if abs(weight) >= 0.005]
        parts += ["", "[shares]", *(f'"{name}" = {share:.2f}' for name, share in sorted(self.shares.items()))]
        return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("findings", nargs="*", type=Path)
    parser.add_argument("--judge", nargs="*", type=Path, default=[])
    parser.add_argument("--verdicts", nargs="*", type=Path, default=[])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--ordinary", nargs="*", type=Path, default=[])
    parser.add_argument("--commits", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    written = Written.read()
    if options.verdicts:
        written = replace(written, shares=_shares(options.verdicts))
    if options.findings:
        written = _weighed(options, written)
    if options.write:
        RANKING.write_text(written.text(), encoding="utf-8")
    else:
        print(f"\n{written.text()}")


def _shares(files: Sequence[Path]) -> dict[str, float]:
    verdicts: list[Mapping[str, Any]] = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        verdicts += tomllib.loads(text)["verdict"] if file.suffix == ".toml" else map(json.loads, text.splitlines())
    shares = {}
    for name in OTHERS:
        said = [each["verdict"] for each in verdicts if each["rule"].startswith(f"{name}.")]
        true, false = said.count("true"), said.count("false")
        shares[name] = (true + 0.5) / (true + false + 1)
        print(f"{name}: {true} true, {false} false")
    return shares


def _weighed(options: argparse.Namespace, written: Written) -> Written:
    findings = _read(options.findings)
    names = [_BIAS, *sorted({name for each in findings if _is_read(each) for name in each["features"]})]
    kept = {_BIAS: written.bias, **written.weights} if options.keep else {}
    names = [name for name in names if name not in kept]
    labels = _labels(findings, names, kept)
    strength, left_out = _chosen(labels)
    print(f"{len(labels.true)} findings of {len(set(labels.repositories))} repositories, strength {strength}\n")
    print(f"Each repository judged by the others:\n\n{_reliability(labels, left_out)}\n")
    print(_shown(labels, left_out))
    print(f"\nOf a true and a false one, the true one has the higher probability in {_order(labels, left_out):.0%}")
    weights = _fitted(labels, strength)
    if options.judge:
        others = _labels(_read(options.judge), names, kept)
        said = _said(others.rows, others.offsets, weights)
        print(f"\nNever fitted on:\n\n{_reliability(others, said)}\n\n{_shown(others, said)}")
    shown = _least(labels, left_out)
    if options.ordinary:
        new = _read(options.ordinary)
        noise = _said(_rows(new, names), _offsets(new, kept), weights)
        quiet = next(least / 100 for least in range(101) if (noise >= least / 100).sum() <= NOISE * options.commits)
        print(f"\n{len(noise)} null dereferences in {options.commits} ordinary commits; few enough from {quiet:.2f}")
        shown = max(shown, quiet)
    print(f"\nShown from {shown:.2f}")
    found = {**kept, **dict(zip(names, weights.tolist(), strict=True))}
    return replace(written, shown=shown, bias=found.pop(_BIAS), weights=found)


def _read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """The findings that have features, and that the search for a witness has not refuted; but none that rests on a test
    which the pull request removes: those of fixes say nothing of how often such a finding is false elsewhere."""
    every = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    every = [each for each in every if each["features"] and "origin: removed" not in each["features"]]
    return [each for each in every if (each["witness"] or {}).get("verdict") != "refuted"]


def _is_read(finding: Mapping[str, Any]) -> bool:
    return finding["verdict"] in ("true", "false")


def _labels(every: Sequence[Mapping[str, Any]], names: Sequence[str], kept: Mapping[str, float]) -> Labels:
    """Of those findings that were read. The others say how many there are."""
    findings = [each for each in every if _is_read(each)]
    counts = collections.Counter(map(_origin, findings))
    true = np.array([each["verdict"] == "true" for each in findings], np.int64)
    weights = np.array([1 / counts[_origin(each)] for each in findings])
    drawn = np.array([not each["chosen"] for each in findings])
    for unlikely in (False, True):
        of_kind = [each for each in every if not each["chosen"] and each["unlikely"] == unlikely]
        read = {_origin(each) for each in of_kind if _is_read(each)}
        at = drawn & np.array([each["unlikely"] == unlikely for each in findings])
        weights[at] *= len({_origin(each) for each in of_kind}) / max(len(read), 1)
    if (drawn & (true == 1)).any():
        weights[true == 1] *= weights[drawn & (true == 1)].sum() / weights[true == 1].sum()
    repositories = np.array([each["repository"] for each in findings])
    return Labels(names, _rows(findings, names), _offsets(findings, kept), true, weights, repositories)


def _rows(findings: Sequence[Mapping[str, Any]], names: Sequence[str]) -> NDArray[np.float64]:
    features = [{_BIAS: 1.0, **each["features"]} for each in findings]
    return np.array([[each.get(name, 0.0) for name in names] for each in features]).reshape(len(findings), len(names))


def _offsets(findings: Sequence[Mapping[str, Any]], kept: Mapping[str, float]) -> NDArray[np.float64]:
    return _rows(findings, list(kept)) @ np.array(list(kept.values()))


def _origin(finding: Mapping[str, Any]) -> tuple[str, ...]:
    """Findings with one name came of one null."""
    first = finding["path"][0]
    return finding["repository"], finding["head"], first["file"], str(first["line"]), first["note"]


def _fitted(labels: Labels, strength: float, chosen: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """The weights that make the findings most likely, with a penalty on all but the bias."""
    from scipy.optimize import minimize

    at = np.arange(len(labels.true)) if chosen is None else chosen
    weights = labels.weights.copy()
    for verdict in (0, 1):  # whoever is left out, true ones weigh as much as they do of all
        of_all, of_chosen = (labels.true == verdict), np.isin(np.arange(len(weights)), at)
        weights[of_all] *= weights[of_all].sum() / weights[of_all & of_chosen].sum()
    rows, true, weights, offsets = labels.rows[at], labels.true[at], weights[at], labels.offsets[at]
    penalty = np.array([name != _BIAS for name in labels.names]) / strength

    def loss(fitted: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = offsets + rows @ fitted
        value = weights @ (np.logaddexp(0, odds) - true * odds) + penalty @ fitted**2 / 2
        return float(value), rows.T @ (weights * (1 / (1 + np.exp(-odds)) - true)) + penalty * fitted

    fitted: NDArray[np.float64] = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x
    return fitted


def _said(rows: NDArray[np.float64], offsets: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    said: NDArray[np.float64] = 1 / (1 + np.exp(-offsets - rows @ weights))
    return said


def _chosen(labels: Labels) -> tuple[float, NDArray[np.float64]]:
    """The strength that says most of repositories that were left out, and what it says of them."""
    from sklearn.metrics import log_loss

    found = {strength: _left_out(labels, strength) for strength in STRENGTHS}
    losses = {
        strength: log_loss(labels.true, said, sample_weight=labels.weights, labels=[0, 1])
        for strength, said in found.items()
    }
    best = min(losses, key=lambda strength: losses[strength])
    return best, found[best]


def _left_out(labels: Labels, strength: float) -> NDArray[np.float64]:
    from sklearn.model_selection import LeaveOneGroupOut

    said = np.zeros(len(labels.true))
    for others, own in LeaveOneGroupOut().split(labels.rows, labels.true, labels.repositories):
        said[own] = _said(labels.rows[own], labels.offsets[own], _fitted(labels, strength, others))
    return said


def _reliability(labels: Labels, said: NDArray[np.float64]) -> str:
    classes = {"high": said >= HIGH, "medium": (said >= MEDIUM) & (said < HIGH), "low": said < MEDIUM}
    rows = []
    for name, chosen in classes.items():
        weights = labels.weights[chosen]
        told, held = (
            float(np.average(values[chosen], weights=weights)) if chosen.any() else 0.0
            for values in (said, labels.true)
        )
        rows.append([name, f"{weights.sum():.0f}", f"{told:.2f}", f"{held:.2f}"])
    return table(["class", "findings", "it says", "true"], rows)


def _order(labels: Labels, said: NDArray[np.float64]) -> float:
    """The area under the curve of true against false ones: 0.5 is chance."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels.true, said, sample_weight=labels.weights))


def _shown(labels: Labels, said: NDArray[np.float64]) -> str:
    rows = []
    for threshold in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        shown = said >= threshold
        true, every = (float(labels.weights[mask].sum()) for mask in (shown & (labels.true == 1), shown))
        of_true = float(labels.weights[labels.true == 1].sum())
        rows.append(
            [
                f"{threshold:.1f}",
                f"{every:.0f}",
                f"{true:.0f}",
                f"{true / every if every else 0:.2f}",
                f"{true / of_true:.2f}",
            ]
        )
    return table(["shown from", "findings", "true", "share true", "share of the true ones"], rows)


def _least(labels: Labels, said: NDArray[np.float64]) -> float:
    """The largest probability, in hundredths, that keeps enough of the true findings."""
    true = labels.true == 1
    kept = [labels.weights[true & (said >= hundredths / 100)].sum() for hundredths in range(101)]
    return max(number for number, weight in enumerate(kept) if weight >= KEPT * labels.weights[true].sum()) / 100


if __name__ == "__main__":
    main()
