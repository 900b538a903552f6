# The application g500 for Ramble 0.5 and later. Workloads, variables and names of figures follow Ramble's application
# graph500, which runs the Graph500 reference code, so that results of both compare line by line.

from ramble.appkit import *

SCALES = [16, 18, 20, 21, 22, 24, 26, 28, 30]

VARIABLES = {
    "edge_factor": ("16", "Edge tuples per vertex; 16 for the official graph"),
    "engine": ("cpu", "Where searches run: cpu, or gpu with one rank per GPU"),
    "additional_args": ("", "Other flags of g500 run"),
    "program": ("g500", "The program, by default from PATH"),
}

NUMBER = r"\s+(?P<fom>[0-9.]+(?:e[+-]?[0-9]+)?)"

# Name, expression before the number, and unit of each figure of a run.
FIGURES_OF_RUNS = [
    ("Graph Scale", "SCALE:", ""),
    ("Edge Factor", "edgefactor:", ""),
    ("MPI Processes", "num_mpi_processes:", ""),
    ("Graph Generation Time", "graph_generation:", "s"),
    ("Construction Time", "construction_time:", "s"),
]

# The same for each kernel. {} is "BFS", or "SSSP" for shortest paths; rates of BFS have no prefix.
FIGURES_OF_KERNELS = [
    ("{}Harmonic Mean TEPS", r"harmonic_mean_TEPS:\s+!", "TEPS"),
    ("{}Harmonic Stddev TEPS", "harmonic_stddev_TEPS:", "TEPS"),
    ("{}Min TEPS", "min_TEPS:", "TEPS"),
    ("{}First Quartile TEPS", "firstquartile_TEPS:", "TEPS"),
    ("{}Median TEPS", "median_TEPS:", "TEPS"),
    ("{}Third Quartile TEPS", "thirdquartile_TEPS:", "TEPS"),
    ("{}Max TEPS", "max_TEPS:", "TEPS"),
    ("{}Mean Validate Time", "mean_validate:", "s"),
    ("Min {kernel} Time", "min_time:", "s"),
    ("Median {kernel} Time", "median_time:", "s"),
    ("Mean {kernel} Time", "mean_time:", "s"),
    ("Max {kernel} Time", "max_time:", "s"),
]


class G500(ExecutableApplication):
    """Graph500 benchmark: breadth-first search and shortest paths on Kronecker graphs, on CPUs or NVIDIA GPUs.

    Every result is validated by the rules of https://graph500.org; an invalid run prints no TEPS.
    """

    name = "g500"

    tags("graph", "benchmark", "mpi-benchmark")

    for _kernel, _workload in (("bfs", "bfs"), ("both", "bfs_sssp")):
        executable(
            "execute-" + _workload,
            "{program} run --kernel " + _kernel + " --engine {engine} --scale {scale}"
            " --edgefactor {edge_factor} {additional_args}",
            use_mpi=True,
        )
        workload(_workload, executable="execute-" + _workload)
        workload_variable(
            "scale", default="21", description="The graph has 2^scale vertices", workload=_workload
        )

    for _scale in SCALES:
        _workload = "scale_" + str(_scale)
        workload(_workload, executable="execute-bfs")
        workload_variable(
            "scale",
            default=str(_scale),
            description="The graph has 2^scale vertices",
            workload=_workload,
        )

    workload_group(
        "all_workloads", workloads=["bfs", "bfs_sssp"] + ["scale_" + str(s) for s in SCALES]
    )
    for _name, (_default, _description) in VARIABLES.items():
        workload_variable(
            _name, default=_default, description=_description, workload_group="all_workloads"
        )

    for _name, _key, _units in FIGURES_OF_RUNS:
        figure_of_merit(_name, fom_regex=_key + NUMBER, group_name="fom", units=_units)
    for _kernel, _prefix in (("BFS", ""), ("SSSP", "SSSP ")):
        for _name, _key, _units in FIGURES_OF_KERNELS:
            figure_of_merit(
                _name.format(_prefix, kernel=_kernel),
                fom_regex=_kernel.lower() + r"\s+" + _key + NUMBER,
                group_name="fom",
                units=_units,
            )

    # The last line of an invalid run is "INVALID: REASON".
    success_criteria("valid", mode="string", match=r"^VALID$")
