#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site: copies docs/, renders the formulas of the methods, makes the gallery and the pictures of the guides by running the program, and has
mkdocs (strict) make pages of it.

usage: make_site.py --build FOLDER --output FOLDER
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import formulas

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Name, question, what is drawn before, and the run: it writes NAME.svg and NAME.html.
GALLERY = [
    ("reduce", "Which directions tell three classes apart, of which nothing is seen in any two features?",
     "generate sectors --output sectors.csv",
     "reduce sectors.csv --labels sectors.class.labels --dim 2 --kernel 'gaussian(sigma=0.25*median)' --holdout 0.3 --bootstrap 10"),
    ("depend", "Do the features tell anything about the classes, and which of them do?", "",
     "depend sectors.csv --labels sectors.class.labels"),
    ("recluster", "These samples are grouped by one feature. Is there another way?", "generate small-gauss --output small.csv",
     "recluster small.csv --given small.feature1.labels --clusters 2 --dim 1"),
    ("kernel", "Of some samples we know that they belong together or apart. What are the groups?", "generate moons --output moons.csv",
     "kernel moons.csv --labels moons.alternative.labels --fraction 0.8"),
    ("unfold", "What does this rolled sheet look like laid out flat?", "generate swiss-roll --samples 400 --output roll.csv",
     "unfold roll.csv --labels roll.band.labels"),
    ("isometry", "How few measurements of 49 pixels keep every distance to a quarter?", "generate squares --samples 60 --output squares.csv",
     "isometry squares.csv --distortion 0.25 --recall 10"),
    ("center", "What do a hundred subspaces of different dimensions share?", "generate nested-ball --snr 15 --output ball.csv",
     "center ball.csv --dims ball.dims.csv"),
]

STYLE = """.formula { overflow-x: auto; overflow-y: hidden; margin: 1em 0; font-size: 1.15em; }
.formula math { margin: 0; text-align: left; }
.md-typeset img[src$=".svg"] { background: #fff; border-radius: 4px; }
"""


def gallery(program, folder):
    """Runs what GALLERY says in `folder`, and returns the page."""
    parts = ["# Gallery\n\nEvery picture was made by the command below it when this site was built; the page that belongs to it is one click "
             "away.\n"]
    for name, question, before, command in GALLERY:
        if before:
            subprocess.run([program, *shlex.split(before), "--quiet"], cwd=folder, check=True)
        done = subprocess.run([program, *shlex.split(command), "--quiet", "--plot", f"{name}.svg", "--report", f"{name}.html"], cwd=folder)
        if done.returncode not in (0, 4):
            raise SystemExit(f"site: ritz {command} ended with status {done.returncode}")
        commands = "".join(f"    ritz {words}\n" for words in (before, command) if words)
        parts.append(f"## {question}\n\n![{question}](gallery/{name}.svg)\n\n{commands}\n[The report](gallery/{name}.html) · "
                     f"[the guide](guide/{name}.md)\n")
    for path in folder.iterdir():
        if path.suffix not in (".svg", ".html"):
            path.unlink()
    return "\n".join(parts)


# The first commands of a guide, and what they print where that stands by itself.
FIRST_RUN = re.compile(r"^```(console|sh)\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", re.M | re.S)


def own_picture(program, verb, text, folder):
    """Runs a guide's own first commands up to its fit, and says whether that drew `folder`/VERB.svg: some ask for data from elsewhere."""
    block = FIRST_RUN.search(text)
    lines = re.sub(r"\\\n\s*", " ", block[2]).splitlines()
    python = shlex.quote(sys.executable) + " "
    commands = [line.removeprefix("$ ").replace("python3 ", python) for line in lines if block[1] == "sh" or line.startswith("$ ")]
    fit = next(place for place, command in enumerate(commands) if command.startswith(f"ritz {verb} "))
    drawn = re.sub(r" --plot \S+", "", commands[fit]) + f" --quiet --plot {verb}.svg"
    with tempfile.TemporaryDirectory() as scratch:
        (pathlib.Path(scratch) / "tools").symlink_to(ROOT / "tools")
        path = f"{pathlib.Path(program).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(["bash", "-e", "-c", "\n".join([*commands[:fit], drawn])], cwd=scratch, env={**os.environ, "PATH": path},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        picture = pathlib.Path(scratch) / f"{verb}.svg"
        if picture.exists():
            shutil.copy(picture, folder / picture.name)
        return picture.exists()


def illustrate(program, guides):
    """Puts a picture of the answer into each task's guide, below what its first commands print."""
    for verb, question, *_ in GALLERY:
        guide = guides / f"{verb}.md"
        text = guide.read_text(encoding="utf-8")
        own = own_picture(program, verb, text, guides)
        picture = f"![The picture of the answer]({verb}.svg)\n" if own else \
            f"![{question}](../gallery/{verb}.svg)\n\n*{question} From the [gallery](../gallery.md).*\n"
        end = FIRST_RUN.search(text).end()
        guide.write_text(f"{text[:end]}\n{picture}{text[end:]}", encoding="utf-8")


def within(text, page, docs):
    """Links to files of the repository that are not part of the site become their names."""
    def link(match):
        words, target = match[1], match[2]
        path = (docs / page.parent / target.partition("#")[0]).resolve()
        if re.match(r"[a-z]+:|#", target) or (path.is_relative_to(docs) and (path.is_file() or path.name in ("gallery.md",))):
            return match[0]
        if path.is_dir() and path.is_relative_to(docs) and (path / "README.md").is_file():
            return f"[{words}]({target.rstrip('/')}/README.md)"
        return words if words.startswith("`") else f"{words} (`{path.relative_to(ROOT)}`)" if path.is_relative_to(ROOT) else words
    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, text)


def make(program, output):
    docs, source = ROOT / "docs", ROOT / "build" / "site-source"
    shutil.rmtree(source, ignore_errors=True)
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs)
        (source / page).parent.mkdir(parents=True, exist_ok=True)
        text = within(path.read_text(encoding="utf-8"), page, docs)
        (source / page).write_text(formulas.page(text) if page.parts[0] == "algorithms" else text, encoding="utf-8")
    (source / "site.css").write_text(STYLE, encoding="utf-8")
    (source / "index.md").write_text((source / "start.md").read_text(encoding="utf-8"), encoding="utf-8")
    (source / "gallery").mkdir()
    (source / "gallery.md").write_text(gallery(program, source / "gallery"), encoding="utf-8")
    illustrate(program, source / "guide")
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--clean", "--config-file", ROOT / "mkdocs.yml", "--site-dir", output.resolve()],
                   check=True)
    outside = [f"{path.relative_to(output)}: {url}" for path in output.rglob("*.html")
               for url in re.findall(r"(?:src|href)=\"(https?://[^\"]+)", path.read_text(encoding="utf-8")) if "w3.org" not in url]
    if outside:
        raise SystemExit("site: it would ask for something from outside:\n  " + "\n  ".join(outside[:10]))
    print(f"the site: {output / 'index.html'} ({len(list(output.rglob('*.html')))} pages)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    make(str(arguments.build.resolve() / "bin" / "ritz"), arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
