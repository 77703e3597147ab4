# SPDX-License-Identifier: MIT
"""What the generator makes of a verb, and that shells take it."""
import shutil
import subprocess

import generate_shell as shell
import pytest

VERBS = [shell.Verb("reduce", "Few directions", [("--solver", "ism", "how [it] is: solved"), ("--config", "", ".file")],
                    {"--solver": ["ism", "dg"]}, [("X", "data")]),
         shell.Verb("estimate reduce", "forecast", [("--rows", "0", "number")], {}, [])]


def test_a_page_escapes_what_roff_would_read():
    text = shell.verb_page(VERBS[0], "1.0")
    assert "\\fB\\-\\-solver\\fR (default: ism)" in text and "\n\\&.file\n" in text and ".SH ARGUMENTS" in text
    if shutil.which("man"):
        assert subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-"], input=text, capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize("typed, offered", [(["ri"], []), (["red"], ["reduce"]), (["estimate", ""], ["reduce", "--help"]),
                                            (["reduce", "--solver", ""], ["ism", "dg"]), (["reduce", "--so"], ["--solver"]),
                                            (["estimate", "reduce", "--r"], ["--rows"])])
def test_bash_offers_verbs_flags_and_choices(typed, offered, tmp_path):
    (tmp_path / "c").write_text(shell.bash_completion(VERBS))
    words = " ".join(f"'{word}'" for word in ["ritz", *typed])
    script = f'. ./c; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _ritz 2>/dev/null; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == offered


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_can_read_it(tmp_path):
    (tmp_path / "_ritz").write_text(shell.zsh_completion(VERBS))
    assert subprocess.run(["zsh", "-n", "_ritz"], cwd=tmp_path, capture_output=True, text=True).stderr == ""
