#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ritz without options beside what people use: classes, clusters and numbers on public sets.

    bench/python/peers.py --program build/release/bin/ritz [--sets FOLDER] [--markdown docs/peers.md] [--only classes]

The sets are scikit-learn's, R's (mlbench, MASS, kernlab, rpart, survival; `--export FOLDER` writes them where R and the
packages are installed) and any CSV of --sets whose last column is the label, or of *.target.csv the number. A set of more than --cap rows is drawn
down to them. Splits are 70/30, stratified; everything is learned on the training part. What is judged is 5-NN in the new
space for classes, the adjusted Rand index for clusters, and R2 of 10-NN for numbers. CPU seconds are those of the fit,
for Ritz of the whole program.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

try:
    import numpy as np
    from sklearn import cluster, datasets, decomposition, discriminant_analysis, linear_model, metrics, neighbors
    from sklearn.cross_decomposition import PLSRegression
    from sklearn.model_selection import train_test_split
except ImportError as missing:
    print(f"{pathlib.Path(sys.argv[0]).name} is left out: {missing}")
    sys.exit(0)

CLASSES_OF_SCIKIT = {"iris": datasets.load_iris, "wine": datasets.load_wine, "cancer": datasets.load_breast_cancer,
                     "digits": datasets.load_digits}
# package, data set, column of the classes, columns that are no features
FROM_R = {
    "vehicle": ("mlbench", "Vehicle", "Class", []), "ionosphere": ("mlbench", "Ionosphere", "Class", []),
    "vowel": ("mlbench", "Vowel", "Class", []), "pima": ("mlbench", "PimaIndiansDiabetes2", "diabetes", []),
    "glass": ("mlbench", "Glass", "Type", []), "sonar": ("mlbench", "Sonar", "Class", []),
    "zoo": ("mlbench", "Zoo", "type", []), "votes": ("mlbench", "HouseVotes84", "Class", []),
    "dna": ("mlbench", "DNA", "Class", []), "satellite": ("mlbench", "Satellite", "classes", []),
    "letter": ("mlbench", "LetterRecognition", "lettr", []), "soybean": ("mlbench", "Soybean", "Class", []),
    "biopsy": ("MASS", "biopsy", "class", ["ID"]), "crabs": ("MASS", "crabs", "sex", ["index"]),
    "birthwt": ("MASS", "birthwt", "low", ["bwt"]), "spam": ("kernlab", "spam", "type", []),
    "musk": ("kernlab", "musk", "Class", []), "promoter": ("kernlab", "promotergene", "Class", []),
    "stagec": ("rpart", "stagec", "pgstat", ["pgtime"]), "pbc": ("survival", "pbc", "status", ["id", "time"]),
    "shuttle": ("mlbench", "Shuttle", "Class", []), "painters": ("MASS", "painters", "School", []),
    "cars93": ("MASS", "Cars93", "Origin", ["Manufacturer", "Model", "Make"]), "synth": ("MASS", "synth.tr", "yc", []),
    "kyphosis": ("rpart", "kyphosis", "Kyphosis", []),
}
# looked at when the rules of the program were settled, by --apart
APART_FROM_R = {
    "dhfr": ("caret", "dhfr", "Y", []), "german": ("caret", "GermanCredit", "Class", []),
    "cells": ("caret", "segmentationData", "Class", ["Cell", "Case"]), "scat": ("caret", "scat", "Species", []),
    "attrition": ("modeldata", "attrition", "Attrition", []), "credit": ("modeldata", "credit_data", "Status", []),
    "hpc": ("modeldata", "hpc_data", "class", []), "churn": ("modeldata", "mlc_churn", "churn", []),
    "oils": ("modeldata", "oils", "class", []), "stackoverflow": ("modeldata", "stackoverflow", "Remote", []),
    "twoclass": ("modeldata", "two_class_dat", "Class", []), "alzheimer": ("modeldata", "ad_data", "Class", []),
    "lending": ("modeldata", "lending_club", "Class", []), "penguins": ("palmerpenguins", "penguins", "species", []),
    "diabetes3": ("rrcov", "diabetes", "group", []), "fish": ("rrcov", "fish", "Species", []),
    "fruit": ("rrcov", "fruit", "cultivar", []), "olitos": ("rrcov", "olitos", "grp", []),
    "salmon": ("rrcov", "salmon", "Origin", []), "hemophilia": ("rrcov", "hemophilia", "gr", []),
    "glaucoma": ("TH.data", "GlaucomaM", "Class", []), "wpbc": ("TH.data", "wpbc", "status", ["time"]),
    "banknote": ("mclust", "banknote", "Status", []), "thyroid": ("mclust", "thyroid", "Diagnosis", []),
    "body": ("gclus", "body", "Gender", []), "mroz": ("carData", "Mroz", "lfp", []),
    "chile": ("carData", "Chile", "vote", []), "skulls": ("HSAUR3", "skulls", "epoch", []),
    "pottery": ("HSAUR3", "pottery", "kiln", []), "urine": ("boot", "urine", "r", []),
}
# seen when the search over scales and dimensions was made, by --further
FURTHER_FROM_R = {
    "dystrophy": ("ipred", "dystrophy", "Class", ["OBS", "HOSPID", "DATE"]),
    "glaucomamvf": ("ipred", "GlaucomaMVF", "Class", []), "wachurn": ("modeldata", "wa_churn", "churn", []),
    "pdspeech": ("modeldata", "pd_speech", "class", []), "sacramento": ("modeldata", "Sacramento", "type", ["zip"]),
    "mammo": ("TH.data", "mammoexp", "ME", []), "veteran": ("MASS", "VA", "cell", []),
    "arthritis": ("vcd", "Arthritis", "Improved", ["ID"]),
    "baseball": ("vcd", "Baseball", "league86", ["name1", "name2", "team86", "team87", "league87"]),
    "carstype": ("MASS", "Cars93", "Type", ["Manufacturer", "Model", "Make"]),
    "cereal": ("MASS", "UScereal", "mfr", []), "snails": ("MASS", "snails", "Species", []),
    "survey": ("MASS", "survey", "Sex", []), "cabbages": ("MASS", "cabbages", "Cult", []),
    "ome": ("MASS", "OME", "OME", ["ID"]), "crabssp": ("MASS", "crabs", "sp", ["index"]),
    "creditcard": ("AER", "CreditCard", "card", ["share", "expenditure"]), "hmda": ("AER", "HMDA", "deny", []),
    "gsoep": ("AER", "GSOEP9402", "school", []), "affairs": ("AER", "Affairs", "children", []),
    "swisslabor": ("AER", "SwissLabor", "participation", []),
    "travelmode": ("AER", "TravelMode", "mode", ["individual"]), "cps": ("AER", "CPS1985", "occupation", []),
    "guns": ("AER", "Guns", "law", ["state"]), "prestige": ("carData", "Prestige", "type", []),
    "un98": ("carData", "UN98", "region", []), "salaries": ("carData", "Salaries", "rank", []),
    "soils": ("carData", "Soils", "Contour", ["Gp", "Group", "Block"]), "davis": ("carData", "Davis", "sex", []),
    "beps": ("carData", "BEPS", "vote", []), "titanic": ("carData", "TitanicSurvival", "survived", []),
    "womenlf": ("carData", "Womenlf", "partic", []), "wells": ("carData", "Wells", "switch", []),
    "possum": ("robustbase", "possumDiv", "eucalyptus", []), "income": ("kernlab", "income", "INCOME", []),
    "cartest": ("rpart", "car.test.frame", "Type", []), "oslo": ("rrcov", "OsloTransect", "X.FLITHO", ["X.ID"]),
    "infert": ("datasets", "infert", "education", ["stratum", "pooled.stratum"]),
    "chick": ("datasets", "ChickWeight", "Diet", ["Chick"]), "channing": ("boot", "channing", "sex", []),
    "flchain": ("survival", "flchain", "sex", ["chapter"]), "plant": ("cluster", "plantTraits", "vegaer", []),
    "tic": ("kernlab", "ticdata", "CARAVAN", []), "bank": ("AER", "BankWages", "job", []),
    "heartm": ("survival", "heart", "event", ["id", "start", "stop"]),
}
# looked at once, when nothing was to be settled any more, by --unseen
UNSEEN_FROM_R = {
    "banque": ("ade4", "banque", "csp", []), "colic": ("VIM", "colic", "outcome", ["hospitalID"]),
    "surgery": ("VIM", "colic", "surgery", ["hospitalID"]), "hedonic": ("plm", "Hedonic", "chas", ["townid"]),
    "rice": ("plm", "RiceFarms", "region", ["id"]), "males": ("plm", "Males", "industry", ["nr", "year"]),
    "immun": ("mlmRev", "guImmun", "ord", ["kid", "mom", "comm"]),
    "socatt": ("mlmRev", "Socatt", "religion", ["district", "respond"]),
    "diamonds": ("ggplot2", "diamonds", "cut", []), "mpg": ("ggplot2", "mpg", "class", ["manufacturer", "model"]),
    "midwest": ("ggplot2", "midwest", "state", ["PID", "county", "category"]),
    "storms": ("dplyr", "storms", "status", ["name", "category"]), "mite": ("vegan", "mite.env", "Topo", []),
    "aissport": ("locfit", "ais", "sport", []), "aissex": ("locfit", "ais", "sex", []),
    "kangaroo": ("locfit", "kangaroo", "spec", []), "sachs": ("gss", "Sachs", "grp", []),
    "reading": ("party", "readingSkills", "nativeSpeaker", []),
    "imports": ("randomForest", "imports85", "bodyStyle", []),
    "drive": ("randomForest", "imports85", "driveWheels", []), "brca": ("Epi", "BrCa", "grade", ["pid", "year"]),
    "quinidine": ("nlme", "Quinidine", "Heart", ["Subject"]), "transplant": ("survival", "transplant", "abo", []),
    "solder": ("survival", "solder", "PadType", []), "aids": ("MASS", "Aids2", "T.categ", []),
    "quine": ("MASS", "quine", "Age", []), "shuttlel": ("MASS", "shuttle", "use", []),
    "greene": ("carData", "Greene", "decision", []), "kostecki": ("carData", "KosteckiDillon", "hatype", ["id"]),
    "ornstein": ("carData", "Ornstein", "nation", []),
    "ces": ("carData", "CES11", "importance", ["id", "population"]), "un": ("carData", "UN", "group", ["region"]),
    "wvs": ("carData", "WVS", "country", []), "wong": ("carData", "Wong", "sex", ["id"]),
    "medicaid": ("AER", "Medicaid1986", "program", []), "nmes": ("AER", "NMES1988", "health", []),
    "psid82": ("AER", "PSID1982", "occupation", []), "resume": ("AER", "ResumeNames", "quality", ["name"]),
    "teaching": ("AER", "TeachingRatings", "division", ["prof"]),
    "munic": ("AER", "Municipalities", "year", ["municipality"]),
    "fatal": ("AER", "Fatalities", "jail", ["state", "year"]),
    "school": ("nlme", "MathAchSchool", "Sector", ["School"]),
    "youth": ("psychotools", "YouthGratitude", "agegroup", ["id", "age"]), "bfi": ("psychTools", "bfi", "gender", []),
    "icu": ("vcdExtra", "ICU", "died", []), "dmft": ("flexmix", "dmft", "Treatment", []),
    "nodal": ("boot", "nodal", "r", ["m"]), "aircrash": ("vcdExtra", "AirCrash", "Phase", []),
    "epilepsy": ("MASS", "epil", "trt", ["subject"]),
    "steno": ("Epi", "steno2", "allo", ["id", "doBth", "doDM", "doBase", "doEnd"]),
    "rossi": ("carData", "Rossi", "fin", ["week"]),
}
# numbers to be explained, in the same form
NUMBERS_FROM_R = {
    "boston": ("MASS", "Boston", "medv", []), "cpus": ("MASS", "cpus", "perf", ["name", "estperf"]),
    "ozone": ("mlbench", "Ozone", "V4", []), "servo": ("mlbench", "Servo", "Class", []),
    "crime": ("MASS", "UScrime", "y", []), "birthweight": ("MASS", "birthwt", "bwt", ["low"]),
}
FURTHER_NUMBERS_FROM_R = {
    "concrete": ("modeldata", "concrete", "compressive_strength", []),
    "biomass": ("modeldata", "biomass", "HHV", ["sample", "dataset"]),
    "prestigen": ("carData", "Prestige", "prestige", []), "salary": ("carData", "Salaries", "salary", []),
    "houses": ("AER", "HousePrices", "price", []),
    "caschools": ("AER", "CASchools", "read", ["district", "school", "math", "county"]),
    "cpswage": ("AER", "CPS1985", "wage", []), "swiss": ("datasets", "swiss", "Fertility", []),
    "airq": ("datasets", "airquality", "Ozone", []), "mtcars": ("datasets", "mtcars", "mpg", []),
    "stackloss": ("datasets", "stackloss", "stack.loss", []), "rock": ("datasets", "rock", "perm", []),
    "attitude": ("datasets", "attitude", "rating", []),
    "cars93p": ("MASS", "Cars93", "Price", ["Manufacturer", "Model", "Make", "Min.Price", "Max.Price"]),
    "cerealc": ("MASS", "UScereal", "calories", []), "hills": ("MASS", "hills", "time", []),
    "sacprice": ("modeldata", "Sacramento", "price", ["zip"]),
    "penguinm": ("palmerpenguins", "penguins", "body_mass_g", []), "quakesm": ("datasets", "quakes", "mag", []),
    "mpgcar90": ("rpart", "car.test.frame", "Mileage", []),
}
EXPORT = """
a <- commandArgs(TRUE); e <- new.env(); data(list = a[2], package = a[1], envir = e)
d <- as.data.frame(get(if (exists(a[2], e)) a[2] else ls(e)[1], e))
y <- d[[a[3]]]; d <- d[, !(names(d) %in% c(a[3], strsplit(a[5], ",")[[1]])), drop = FALSE]; X <- list()
for (n in names(d)) { v <- d[[n]]
  if (is.ordered(v) || is.numeric(v) || is.logical(v)) X[[n]] <- as.numeric(v)
  else { v <- factor(v); if (nlevels(v) == 2) X[[n]] <- as.numeric(v) - 1
         else for (l in levels(v)) X[[paste(n, l, sep = "_")]] <- as.numeric(v == l) } }
X <- as.data.frame(lapply(X, function(v) { v[is.na(v)] <- mean(v, na.rm = TRUE); v }))
ok <- !is.na(y); X <- X[ok, sapply(X, function(v) length(unique(v)) > 1), drop = FALSE]
X$label <- if (a[6] == "number") as.numeric(y[ok]) else as.integer(factor(y[ok])); write.csv(X, a[4], row.names = FALSE)
"""


def export(folder, classes, numbers):
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(name, f"{name}.csv", "class", row) for name, row in classes.items()]
    rows += [(name, f"{name}.target.csv", "number", row) for name, row in numbers.items()]
    for name, file, kind, (package, table, label, drop) in rows:
        done = subprocess.run(["Rscript", "-e", EXPORT, package, table, label, str(folder / file), ",".join(drop), kind],
                              capture_output=True, text=True)
        print(f"{name}: {'written' if done.returncode == 0 else 'left out: ' + done.stderr.strip().splitlines()[-1]}")


def numbers_of(path):
    return np.genfromtxt(path, delimiter=",", skip_header=1)


def class_sets(folder, cap, only):
    """Pairs of a name and (X, y); classes of fewer than four samples are left out."""
    for name, load in CLASSES_OF_SCIKIT.items():
        if not only or name in only:
            yield name, drawn(load().data, load().target, cap)
    for path in sorted(folder.glob("*.csv")) if folder else []:
        if not path.name.endswith(".target.csv") and (not only or path.stem in only):
            rows = numbers_of(path)
            yield path.stem, drawn(rows[:, :-1], rows[:, -1].astype(int), cap)


def drawn(X, y, cap):
    def large(X, y):
        keep = np.isin(y, [c for c in np.unique(y) if (y == c).sum() >= 4])
        return X[keep], np.unique(y[keep], return_inverse=True)[1]

    if len(y) > cap:
        rows = np.random.default_rng(0).permutation(len(y))[:cap]
        X, y = X[rows], y[rows]
    return large(X, y)


def standardised(train, test):
    mean, deviation = train.mean(0), train.std(0)
    deviation[deviation <= 1e-12 * np.abs(train).max(0)] = np.inf
    return (train - mean) / deviation, (test - mean) / deviation


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def __call__(self, *arguments):
        start = children_seconds()
        done = subprocess.run([self.path, *arguments, "--threads", "1", "--quiet"], cwd=self.folder, capture_output=True,
                              text=True)
        if done.returncode not in (0, 4):
            raise RuntimeError(f"ritz {' '.join(arguments)}: {done.stderr.strip()}")
        return children_seconds() - start

    def write(self, name, array, form="%.17g"):
        np.savetxt(self.folder / name, array, delimiter=",", fmt=form)

    def read(self, name):
        return np.loadtxt(self.folder / name, delimiter=",", ndmin=2, skiprows=self.header(name))

    def header(self, name):
        with open(self.folder / name) as file:
            try:
                float(file.readline().split(",")[0])
                return 0
            except ValueError:
                return 1

    def reduce(self, train, told, test, *options):
        """Fitted on the raw training rows: both parts in the new space, CPU seconds and what was chosen."""
        self.write("train.csv", train)
        self.write("test.csv", test)
        seconds = self("reduce", "train.csv", *told, "--save-model", "m.ritz", "--save-embedding", "Z.csv", "--json=r.json",
                       *options)
        self("transform", "m.ritz", "test.csv", "--save-embedding", "T.csv")
        report = json.loads((self.folder / "r.json").read_text())
        chosen = f"{report['options']['scale']} {report['options']['dim']}"
        return self.read("Z.csv"), self.read("T.csv"), seconds, chosen


def knn_right(train, y, test, truth):
    return 100 * neighbors.KNeighborsClassifier(min(5, len(y))).fit(train, y).score(test, truth)


def timed(model, X, y=None):
    start = time.process_time()
    model.fit(X, y) if y is not None else model.fit(X)
    return model, time.process_time() - start


def bench_classes(program, args):
    rows, seconds = {}, {}
    for name, (X, y) in class_sets(args.sets, args.cap, args.names):
        rows[name] = {}
        for split in range(args.splits):
            train, test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=split)
            A, B = standardised(train, test)
            q = min(len(np.unique(y)) - 1, X.shape[1])

            def add(method, value, cpu):
                rows[name].setdefault(method, []).append(value)
                seconds[method] = seconds.get(method, 0) + cpu

            program.write("y.labels", y_train, "%d")
            Z, T, cpu, chosen = program.reduce(train, ("--labels", "y.labels"), test, *args.options)
            add("ritz", knn_right(Z, y_train, T, y_test), cpu)
            add("all features", knn_right(A, y_train, B, y_test), 0)
            for method, model in (
                    ("LDA", discriminant_analysis.LinearDiscriminantAnalysis(n_components=q)),
                    ("NCA", neighbors.NeighborhoodComponentsAnalysis(n_components=q, random_state=0)),
                    ("KernelPCA", decomposition.KernelPCA(n_components=q, kernel="rbf"))):
                model, cpu = timed(model, A, y_train)
                add(method, knn_right(model.transform(A), y_train, model.transform(B), y_test), cpu)
        print(name, X.shape, chosen, {m: round(float(np.mean(v)), 1) for m, v in rows[name].items()}, flush=True)
    return table("classes: 5-NN, % right of the 30 % held out", rows, seconds, 1)


def bench_clusters(program, args):
    rows, seconds = {}, {}
    for name, (X, y) in class_sets(args.sets, min(args.cap, 2000), args.names):
        A, _ = standardised(X, X)
        k = len(np.unique(y))
        program.write("X.csv", X)
        cpu = program("reduce", "X.csv", "--mode", "unsupervised", "--clusters", str(k), "--save-labels", "found.labels",
                      *args.options)
        found = np.loadtxt(program.folder / "found.labels")
        rows[name] = {"ritz": [metrics.adjusted_rand_score(y, found)]}
        seconds["ritz"] = seconds.get("ritz", 0) + cpu
        for method, model in (("k-means", cluster.KMeans(k, n_init=20, random_state=0)),
                              ("spectral", cluster.SpectralClustering(k, affinity="nearest_neighbors", random_state=0))):
            model, cpu = timed(model, A)
            rows[name][method] = [metrics.adjusted_rand_score(y, model.labels_)]
            seconds[method] = seconds.get(method, 0) + cpu
        print(name, {m: round(float(v[0]), 3) for m, v in rows[name].items()}, flush=True)
    return table("clusters: adjusted Rand index with the classes, number of clusters given", rows, seconds, 3)


def number_sets(folder):
    diabetes = datasets.load_diabetes()
    yield "diabetes", diabetes.data, diabetes.target
    for name, noise in (("friedman1", 1.0), ("friedman2", 50.0), ("friedman3", 0.1)):
        X, y = getattr(datasets, f"make_{name}")(n_samples=500, noise=noise, random_state=0)
        yield name, X, y
    linnerud = datasets.load_linnerud()
    yield "linnerud", linnerud.data, linnerud.target[:, 0]
    for path in sorted(folder.glob("*.target.csv")) if folder else []:
        values = numbers_of(path)
        yield path.name[:-11], values[:, :-1], values[:, -1]


def bench_targets(program, args):
    rows, seconds = {}, {}
    for name, X, y in number_sets(args.sets):
        rows[name] = {}
        for split in range(args.splits):
            train, test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=split)
            A, B = standardised(train, test)
            program.write("y.csv", y_train)
            Z, T, cpu, chosen = program.reduce(train, ("--targets", "y.csv"), test, *args.options)

            def r2(P, Q):
                return neighbors.KNeighborsRegressor(min(10, len(y_train))).fit(P, y_train).score(Q, y_test)

            def add(method, value, cpu):
                rows[name].setdefault(method, []).append(value)
                seconds[method] = seconds.get(method, 0) + cpu

            add("ritz", r2(Z, T), cpu)
            add("all features", r2(A, B), 0)
            for a in (1, 2):
                model, cpu = timed(PLSRegression(min(a, X.shape[1])), A, y_train)
                add(f"PLS {a}", r2(model.transform(A), model.transform(B)), cpu)
            model, cpu = timed(linear_model.LinearRegression(), A, y_train)
            add("OLS direction", r2(model.predict(A).reshape(-1, 1), model.predict(B).reshape(-1, 1)), cpu)
        print(name, X.shape, chosen, {m: round(float(np.mean(v)), 3) for m, v in rows[name].items()}, flush=True)
    return table("numbers: R2 of 10-NN on the 30 % held out", rows, seconds, 3)


def table(title, rows, seconds, digits):
    methods = list(next(iter(rows.values())))
    text = f"## {title}\n\n| set | {' | '.join(methods)} |\n|---|{'---|' * len(methods)}\n"
    means = {name: {m: float(np.mean(v)) for m, v in row.items()} for name, row in rows.items()}
    for name, row in means.items():
        text += f"| {name} | " + " | ".join(f"{row[m]:.{digits}f}" for m in methods) + " |\n"
    overall = {m: float(np.mean([row[m] for row in means.values()])) for m in methods}
    text += "| **mean** | " + " | ".join(f"**{overall[m]:.{digits}f}**" for m in methods) + " |\n"
    text += "| CPU s | " + " | ".join(f"{seconds.get(m, 0):.2f}" for m in methods) + " |\n"
    worst = min((row["ritz"] - max(row.values()), name) for name, row in means.items())
    return text + f"\nFarthest below the best: {-worst[0]:.{digits}f} ({worst[1]}).\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/ritz")
    parser.add_argument("--sets", type=pathlib.Path, help="folder of CSV files")
    parser.add_argument("--export", type=pathlib.Path, help="write R's sets there, and stop")
    parser.add_argument("--apart", action="store_true", help="the sets that were kept apart")
    parser.add_argument("--further", action="store_true", help="the sets of the third collection")
    parser.add_argument("--unseen", action="store_true", help="the sets of the fourth collection")
    parser.add_argument("--names", nargs="*", help="these sets only")
    parser.add_argument("--only", choices=["classes", "clusters", "targets"])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--cap", type=int, default=2000)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--options", nargs=argparse.REMAINDER, default=[], help="of ritz reduce")
    args = parser.parse_args()
    classes, numbers = FROM_R, NUMBERS_FROM_R
    if args.apart:
        classes, numbers = APART_FROM_R, {}
    elif args.further:
        classes, numbers = FURTHER_FROM_R, FURTHER_NUMBERS_FROM_R
    elif args.unseen:
        classes, numbers = UNSEEN_FROM_R, {}
    if args.export:
        return export(args.export, classes, numbers)
    if (args.apart or args.further or args.unseen) and not args.names:
        args.names = list(classes)
    program_path = str(pathlib.Path(args.program).resolve())
    text = ""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(program_path, folder)
        for name, work in (("classes", bench_classes), ("clusters", bench_clusters), ("targets", bench_targets)):
            if args.only in (None, name):
                text += work(program, args) + "\n"
                print(text.rsplit("## ", 1)[1])
    if args.markdown:
        args.markdown.write_text(text)


if __name__ == "__main__":
    main()
