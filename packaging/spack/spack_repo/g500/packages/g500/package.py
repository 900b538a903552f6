# The recipe of g500 for Spack 1.0 and later. In a checkout of g500:
#
#   spack repo add packaging/spack/spack_repo/g500
#   spack dev-build g500@main               builds the checkout as it is
#   spack install g500@main +cuda cuda_arch=90
#
# The second builds what is committed on the branch main of the checkout. The Go modules come from the network.

import os

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *

# Six folders up: packaging/spack/spack_repo/g500/packages/g500.
checkout = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), *[".."] * 6))


class G500(MakefilePackage, CudaPackage):
    """A Graph500 breadth-first search benchmark for one machine or an MPI cluster, on CPUs or NVIDIA GPUs."""

    git = "file://" + checkout

    license("Apache-2.0")

    version("main", branch="main")

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
