#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a public data set as CSV, for the guides: those of scikit-learn, and the vowels of R's package mlbench.

usage: public_set.py iris|wine|breast_cancer|digits|diabetes|vowel FILE
"""
import csv
import subprocess
import sys


def from_sklearn(name):
    """Names of the columns, then the rows; the last column is the class or the number to explain."""
    from sklearn import datasets
    found = getattr(datasets, f"load_{name}")()
    names = [str(each).replace(" (cm)", "").replace(" ", "_") for each in found.feature_names]
    classes = [str(each) for each in getattr(found, "target_names", [])] if name != "diabetes" else []
    told = [classes[c] if classes else c for c in found.target]
    column = {"iris": "species", "wine": "cultivar", "breast_cancer": "diagnosis", "digits": "digit", "diabetes": "progression"}[name]
    return [[*names, column], *([*row, last] for row, last in zip(found.data.tolist(), told))]


def vowels():
    """990 vowels of 15 speakers: nine numbers each, the vowel, and who spoke it. Speakers 0 to 3 and 8 to 11 are men."""
    script = 'library(mlbench); data(Vowel); write.csv(Vowel, stdout(), row.names = FALSE)'
    header, *rows = csv.reader(subprocess.check_output(["Rscript", "-e", script], text=True).splitlines())
    sex = ["male" if speaker % 8 < 4 else "female" for speaker in range(15)]
    return [[*(f"x{k}" for k in range(1, 10)), "vowel", "sex"], *([*row[1:], sex[int(row[0])]] for row in rows)]


def main(name, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(vowels() if name == "vowel" else from_sklearn(name))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
