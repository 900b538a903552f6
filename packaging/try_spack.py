"""Runs the recipe without Spack: python3 try_spack.py SOURCES PREFIX [+cuda].

Replacements of Spack's interface support only the directives that the recipe may use, to find a misspelt one. The phases
call make in the folder of the sources; with +cuda they only print make's arguments, because make -n needs a compiler.
"""

import os
import shutil
import subprocess
import sys
import types

import stand_in

sources, prefix, options = sys.argv[1], sys.argv[2], sys.argv[3:]
chosen = {"+mpi", "+cuda"} if "+cuda" in options else {"+mpi"}


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(os.path.join(self, name))


class Spec:
    variants = {"cuda_arch": types.SimpleNamespace(value=("80", "90"))}

    def satisfies(self, condition):
        return condition in chosen

    def __getitem__(self, name):
        return {"mpi": types.SimpleNamespace(mpicc=shutil.which("mpicc")),
                "cuda": types.SimpleNamespace(prefix=Prefix("/cuda"))}[name]


class Environment(dict):
    set = dict.__setitem__


class Base:
    def __init__(self):
        self.spec, self.prefix = Spec(), Prefix(prefix)


directives, declared = stand_in.recorder("conflicts", "depends_on", "license", "requires", "variant", "version")
stand_in.module("spack.package", **directives)
stand_in.module("spack_repo.builtin.build_systems.cuda", CudaPackage=type("CudaPackage", (), {}))
stand_in.module("spack_repo.builtin.build_systems.makefile", MakefilePackage=type("MakefilePackage", (Base,), {}))
recipe = stand_in.load("spack/spack_repo/g500/packages/g500/package.py")
package = recipe["G500"]()

if not os.path.exists(os.path.join(recipe["checkout"], "go.mod")):
    sys.exit(f"the recipe takes {recipe['checkout']} for the checkout")
needed = {args[0] for name, args, _ in declared if name == "depends_on"}
if not {"c", "go@1.25:", "mpi", "cuda@11.8:"} <= needed:
    sys.exit(f"the recipe depends on {needed} only")

given = Environment()
package.setup_build_environment(given)
for arguments in (package.build_targets, package.install_targets):
    print("make", *arguments, flush=True)
    if "+cuda" not in options:
        subprocess.run(["make", *arguments], cwd=sources, env={**os.environ, **given}, check=True)
for file in package.sanity_check_is_file:
    if "+cuda" not in options and not os.path.isfile(os.path.join(prefix, file)):
        sys.exit(f"there is no {file} below {prefix}")
