# The recipe of g500 for Spack 1.0 and later. In a checkout of g500:
#
#   spack repo add packaging/spack/spack_repo/g500
#   spack install g500 +cuda cuda_arch=90   builds the release, the tag v0.3.0 of the checkout
#   spack install g500@main                 builds the last commit on its branch main
#   spack dev-build g500@main               builds its files, also in a folder without git
#
# The Go modules come from the network.

import os

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *

# Six folders up: packaging/spack/spack_repo/g500/packages/g500. Other repositories must link to this file, not copy it.
checkout = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), *[".."] * 6))


class G500(MakefilePackage, CudaPackage):
    """Graph500 benchmark, breadth-first search and shortest paths, on CPUs or NVIDIA GPUs of an MPI cluster."""

    git = "file://" + checkout

    license("Apache-2.0")

    version("main", branch="main")
    version("0.3.0", tag="v0.3.0")

    variant("mpi", default=True, description="Ranks as MPI processes")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("go@1.25:", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@11.8:", when="+cuda")

    # "make test" installs what it needs through apt-get.
    build_time_test_callbacks = []

    sanity_check_is_file = ["bin/g500"]

    def setup_build_environment(self, env):
        env.set("GOTOOLCHAIN", "local")
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)
        if self.spec.satisfies("+cuda"):
            env.set("NVCC", self.spec["cuda"].prefix.bin.nvcc)

    @property
    def build_targets(self):
        given = ["MPI=1" if self.spec.satisfies("+mpi") else "MPI=0"]
        if not self.spec.satisfies("+cuda"):
            return given + ["CUDA=0"]
        given.append("CUDA=1")
        arch = self.spec.variants["cuda_arch"].value
        if "none" not in arch:
            given.append("CUDA_ARCH=" + " ".join(arch))
        return given

    @property
    def install_targets(self):
        return ["install", "PREFIX=" + self.prefix] + self.build_targets
