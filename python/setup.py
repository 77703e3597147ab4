# SPDX-License-Identifier: MIT
"""Builds the module with CMake, from the repository that this folder is a part of."""
import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("RITZ_WHEEL_BUILD", ROOT / "build" / "wheel"))
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DRITZ_PYTHON=ON", "-DRITZ_BUILD_CLI=OFF", "-DRITZ_BUILD_TESTS=OFF",
                   "-DRITZ_BUILD_EXAMPLES=OFF", f"-DPython3_EXECUTABLE={sys.executable}"]
        if shutil.which("ccache"):
            options += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_FLAGS=-fpch-preprocess"]
        options += os.environ.get("CMAKE_ARGS", "").split()
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "ritz_python", "--parallel"], check=True)
        made = next((build / "python" / "ritz").glob("_core*.so"))
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, target)


setup(ext_modules=[Extension("ritz._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
