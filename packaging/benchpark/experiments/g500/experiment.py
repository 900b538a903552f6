# The experiment g500 for Benchpark: breadth-first search or both kernels, on CPUs with one rank per node, or on GPUs with
# one rank per GPU, with weak scaling. It uses the application in packaging/ramble.
# A system with scheduler "mpi" and Open MPI needs extra_cmd_opts: --map-by ppr:1:node --bind-to none

from benchpark.directives import maintainers, variant
from benchpark.experiment import Experiment
from benchpark.programming_model import ProgrammingModel, ProgrammingModelType


class G500(Experiment, ProgrammingModel(ProgrammingModelType.Mpionly, ProgrammingModelType.Cuda)):

    variant(
        "workload",
        default="bfs_sssp",
        values=("bfs", "bfs_sssp"),
        description="bfs, or bfs_sssp for shortest paths, too",
    )
    variant("version", default="0.3.0", description="version of g500")
    variant("scale", default="24", description="vertices per rank: 2^scale")
    variant("ranks", default="1", description="ranks: one per node, or one per GPU; a power of two")

    maintainers("g500")

    def compute_applications_section(self):
        ranks = int(self.spec.variants["ranks"][0])
        scale = int(self.spec.variants["scale"][0])
        total_scale = scale + (ranks - 1).bit_length()

        self.add_experiment_variable("scale", total_scale, True)
        if self.spec.satisfies("+cuda"):
            self.add_experiment_variable("n_gpus", ranks, True)
            self.add_experiment_variable("engine", "gpu")
        else:
            self.add_experiment_variable("n_nodes", ranks, True)
            self.add_experiment_variable("n_ranks", ranks)
            self.add_experiment_variable("engine", "cpu")
        self.set_required_variables(
            n_resources=ranks,
            process_problem_size=2**scale,
            total_problem_size=2**total_scale,
        )

    def compute_package_section(self):
        version = self.spec.variants["version"][0]
        self.add_package_spec("default-mpi")
        self.add_package_spec(self.name, [f"g500@{version} +mpi"])
