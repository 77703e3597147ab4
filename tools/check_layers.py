#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house, as far as a script can see them. The order of the layers is read from cmake/layers.cmake.

  layers    a file of include/ritz/LAYER or src/LAYER includes only from its own layer and from lower ones
  private   what a folder keeps to itself (KEPT) is included by files of that folder only
  verbs     a verb's folder never includes another verb's
  words     nothing below the program prints, or names a command-line flag
  pairs     only backends/ loops over pairs of samples
  dense     only linalg/ calls LAPACK or Eigen's decompositions (the independent checkers apart)
  lists     what is a row of a table has its row: kernels, losses, formats, synthetic sets, backends, tasks, papers
  unused    every header is included by somebody

usage: check_layers.py ROOT
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*')
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')

# Headers of these folders are for the folder alone; a star stands for one name. All other headers of src/ serve the
# layers above.
KEPT = ["data/formats", "data/streams", "data/synthetic", "linalg/eigen", "algorithms/*", "backends/*", "tasks/*",
        "reproduce/*"]
# The kernels themselves: who includes them is compiled again when one changes. All others ask ritz/model/kernel_sum.hpp.
KERNELS = re.compile(r"model/(?:kernel_list|kernels/\w+)\.hpp")
KERNELS_FOR = ("model", "backends")
# Folders of tasks/ that are no verb: what several verbs share.
PRINTS = re.compile(r'\bstd::(?:cout|cerr|clog)\b|\b(?:std::)?(?:printf|puts|fprintf)\s*\(')
FLAG = re.compile(r'(?<![-\w])--[a-z][a-z-]*')
DENSE = re.compile(r'\bLAPACKE_\w+|\bd(?:syev\w*|potr\w|getr\w|geqrf|gesdd)_\s*\(|\b(?:SelfAdjoint|Complex|Generalized\w*)EigenSolver\b|\bEigen::EigenSolver\b|'
                   r'\b\w*(?:HouseholderQR|JacobiSVD|BDCSVD|PartialPivLU|FullPivLU|CompleteOrthogonalDecomposition)\b|'
                   r'\.(?:llt|ldlt|jacobiSvd|bdcSvd|householderQr|colPivHouseholderQr|partialPivLu|eigenvalues)\(\)')
# A loop that counts up: its variable, where it begins, where it ends; and a loop over tiles of so many rows.
COUNTS = re.compile(r'\bfor\s*\(\s*(?:const\s+)?[\w:]+\s+(\w+)\s*=\s*([^;]*?)\s*;\s*\1\s*(?:<=?|!=)\s*([^;]*?)\s*;')
TILES = re.compile(r'\bfor_each_tile\w*\s*\(\s*()()tile_count\(\s*([^,]*?)\s*,')
TRIANGLE = re.compile(r'\bfor_each_tile\w*\s*\(\s*(\w+) \* \(\1 [+-] 1\) / 2')
SAMPLES = re.compile(r'n|rows|samples|points|count|vertices|[\w.>()-]*\b(?:rows|size)\(\)')
# Loops over pairs that are no sweep of the data.
LISTED = {"src/algorithms/isometry/column_generation.cpp": "the pairs of at most a hundred points, as a list",
          "src/algorithms/center/collection.cpp": "pairs of tiles of a Gram matrix of directions",
          "src/graph/b_matching.cpp": "every pair's price, of two numbers; a length is asked for where the price is paid",
          "src/graph/pairs.cpp": "the pairs within groups that must-links join, which are the result",
          "src/linalg/products/tall_products.cpp": "pairs of blocks of columns",
          "src/metrics/clustering.cpp": "sums over rows of a block of distances"}


def layers_of(root):
    """[[layer, …], …]: the lines of RITZ_LAYERS, then those of RITZ_PROGRAM_LAYERS; the program's folders come last."""
    text = (root / "cmake" / "layers.cmake").read_text(encoding="utf-8")
    ranks = []
    for name in ("RITZ_LAYERS", "RITZ_PROGRAM_LAYERS"):
        body = re.search(rf"set\({name}\s+([^)]*)\)", text).group(1)
        ranks += [line.split() for line in body.splitlines() if line.split()]
    ranks[-1].append("python")
    return ranks


class Tree:
    def __init__(self, root):
        self.root = root
        ranks = layers_of(root)
        self.rank = {layer: number for number, layers in enumerate(ranks) for layer in layers}
        self.program = {layer for layer, number in self.rank.items()
                        if number >= len(ranks) - len(self._program_lines())}
        self.files = {}  # path from root -> text
        for folder in ("include/ritz", "src", "tests", "bench", "examples"):
            for path in sorted((root / folder).glob("**/*.[ch]pp")):
                self.files[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
        self.verbs = sorted({p.split("/")[2] for p in self.files if re.fullmatch(r"src/tasks/[^/]+/task\.[ch]pp", p)})

    def _program_lines(self):
        text = (self.root / "cmake" / "layers.cmake").read_text(encoding="utf-8")
        body = re.search(r"set\(RITZ_PROGRAM_LAYERS\s+([^)]*)\)", text).group(1)
        return [line for line in body.splitlines() if line.split()]

    def library(self):
        """(path, layer, text) of what is compiled into library and program."""
        for path, text in self.files.items():
            parts = path.split("/")
            if path.startswith("src/") and len(parts) > 2:
                yield path, parts[1], text
            elif path.startswith("include/ritz/") and len(parts) > 3:
                yield path, parts[2], text

    def below_program(self):
        return ((p, l, t) for p, l, t in self.library() if l not in self.program)


def target(included):
    """(layer, folder or None, public) of an include of ours, or None."""
    public = included.startswith("ritz/")
    parts = (included[len("ritz/"):] if public else included).split("/")
    if len(parts) < 2:
        return None
    return parts[0], parts[1] if len(parts) > 2 else None, public


def layers(tree):
    for path, layer, text in tree.library():
        if layer not in tree.rank:
            yield path, "its folder is not one of the layers"
            continue
        for included in INCLUDE.findall(text):
            found = target(included)
            if found and tree.rank.get(found[0], -1) > tree.rank[layer]:
                yield path, f"includes from the higher layer {found[0]}"


def private(tree):
    for path, layer, text in tree.library():
        for included in INCLUDE.findall(text):
            if KERNELS.fullmatch(included) and layer not in KERNELS_FOR:
                yield path, f"includes {included}; ritz/model/kernel_sum.hpp says what others need"
            found = target(included)
            if not found or found[2] or found[1] is None or found[0] not in tree.rank:
                continue
            folder = "/".join(found[:2])
            if folder not in KEPT and f"{found[0]}/*" not in KEPT:
                if path.startswith("include/"):
                    yield path, f"a public header includes the private {included}"
                continue
            if found[0] == "tasks" and found[1] not in tree.verbs and layer in ("tasks", *tree.program):
                continue  # shared by the verbs
            if layer != found[0]:
                yield path, f"includes {included}, which its folder keeps to itself"
        if path.startswith("include/"):
            for included in INCLUDE.findall(text):
                found = target(included)
                if found and not found[2] and found[1] is None and found[0] in tree.rank:
                    yield path, f"a public header includes the private {included}"


def verbs(tree):
    for path, _, text in tree.library():
        own = re.match(r"src/tasks/([^/]+)/", path)
        if not own or own.group(1) not in tree.verbs:
            continue
        for included in INCLUDE.findall(text):
            other = re.match(r"(?:ritz/)?tasks/([^/.]+)(?:/|\.hpp)", included)
            if other and other.group(1) in tree.verbs and other.group(1) != own.group(1):
                yield path, f"the verb {own.group(1)} includes {included} of another verb"


def words(tree):
    for path, _, text in tree.below_program():
        code = COMMENT.sub("", STRING.sub('""', text))
        for found in PRINTS.findall(code):
            yield path, f"prints ({found.strip()})"
        for line in text.splitlines():
            if line.lstrip().startswith(("#include", "//")):
                continue
            for literal in STRING.findall(line):
                for flag in FLAG.findall(literal):
                    yield path, f"names the flag {flag}; write task.option"


def end_of_loop(text, at):
    """Where the statement ends whose head, in parentheses, opens behind `at`."""
    depth = 0
    head = True
    for end in range(text.index("(", at), len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[end], 0)
        if depth == 0 and head:
            head = False
        elif depth < 0 or depth == 0 and text[end] in ";}":
            return end
    return len(text)


def of_tiles(bound):
    """tile_count(n, kRows) -> n"""
    found = re.fullmatch(r"tile_count\(\s*([^,]*?)\s*,.*\)", bound)
    return found.group(1) if found else bound


def loops_over_pairs(code):
    """Two loops, one in the other, over the same number of samples, the inner one from, up to or past the outer one's
    place, by one or by tiles; or a loop over a triangle of tiles."""
    if TRIANGLE.search(code):
        return True
    for outer in [*COUNTS.finditer(code), *TILES.finditer(code)]:
        variable, bound = outer.group(1), of_tiles(outer.group(3))
        if not SAMPLES.fullmatch(bound):
            continue
        for inner in COUNTS.finditer(code, outer.end(), end_of_loop(code, outer.start())):
            if of_tiles(inner.group(3)) in (bound, variable or bound):
                return True
    return False


def pairs(tree):
    for path, layer, text in tree.below_program():
        if layer in ("backends", "base", "oracles") or "/check" in path:
            continue
        found = loops_over_pairs(COMMENT.sub("", STRING.sub('""', text)))
        if found and path not in LISTED:
            yield path, "loops over all pairs of samples; ask the backend"
        if path in LISTED and not found:
            yield path, "loops over no pairs any more, and is excused for it"

def dense(tree):
    for path, layer, text in tree.below_program():
        if layer == "linalg" or re.match(r"src/tasks/[^/]+/check", path):
            continue
        for found in sorted(set(DENSE.findall(COMMENT.sub("", text)))):
            yield path, f"decomposes by itself ({found}); linalg/dense has it"


# (files, what is a row in them: the name of it or of its file, the file that holds the table, how the table names it)
TABLES = [
    (r"src/model/kernels/(\w+)\.hpp", None, "src/model/kernel_list.hpp", 'kernels/{}.hpp"'),
    (r"src/model/losses/(\w+)\.hpp", None, "src/model/loss_list.hpp", 'losses/{}.hpp"'),
    (r"src/data/formats/\w+\.cpp", r"^extern const FormatRow (\w+) =", "src/data/formats/format_list.cpp", "&{}"),
    (r"src/data/synthetic/\w+\.cpp", r"^Generated (\w+)\(const GenerateOptions", "src/data/synthetic/sets.cpp", ", {}}}"),
    (r"src/backends/\w+/\w+\.hpp", r"^class (\w+) final : public Backend\b", "src/backends/backends.cpp", "{} "),
    (r"src/tasks/(\w+)/task\.cpp", None, "src/tasks/registry.cpp", '"tasks/{}/task.hpp"'),
    (r"src/reproduce/\w+/\w+\.cpp", r"^Paper (\w+)\(\)", "src/reproduce/reproduction.cpp", "{}()"),
]


def lists(tree):
    for files, row, table, form in TABLES:
        rows = re.sub(r"^(?:extern|Paper) [^;]*;", "", tree.files.get(table, ""), flags=re.MULTILINE)  # declared is not in it
        for path, text in tree.files.items():
            match = re.fullmatch(files, path)
            for name in re.findall(row, text, re.MULTILINE) if match and row else match.groups() if match else ():
                if form.format(name) not in rows:
                    yield path, f"{name} has no row in {table}"

def unused(tree):
    included = {name for text in tree.files.values() for name in INCLUDE.findall(text)}
    for path in tree.files:
        if not path.endswith(".hpp") or not path.startswith(("src/", "include/")):
            continue
        name = path.split("/", 1)[1]
        if name != "ritz/ritz.hpp" and name not in included:
            yield path, "is included by nobody"


RULES = [layers, private, verbs, words, pairs, dense, lists, unused]


def violations(root):
    tree = Tree(root)
    return [(rule.__name__, path, what) for rule in RULES for path, what in rule(tree)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = violations(root)
    for rule, path, what in found:
        print(f"{path}: {what} [{rule}]")
    print(f"layers: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
