"""Runs the commands in the files for Ramble, Benchpark, ReFrame and AKRR without them, and finds their figures in the output.

    python3 try_suites.py PROGRAM LAUNCHER...    such as: python3 try_suites.py bin/g500 mpirun -n 2

Replacements of their interfaces have only the functions that the files may use, to find a misspelt one. Graphs have
scale 10, and GPU runs use CPUs.
"""

import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

import yaml

import stand_in

program, launcher = os.path.abspath(sys.argv[1]), sys.argv[2:]


@functools.cache
def run(*command):
    print("run", *command, flush=True)
    return subprocess.run(launcher + [program, *command], stdout=subprocess.PIPE, text=True).stdout


def output(command, criterion):
    """Returns the output of a command of g500. It must meet the criterion of success, an unvalidated run must not."""
    words = command.split()[1:]
    words[words.index("--scale") + 1] = "10"
    words[words.index("--engine") + 1] = "cpu"
    text = run(*words)
    if not re.search(criterion, text, re.MULTILINE) or re.search(criterion, run(*words, "--validate=false"), re.MULTILINE):
        sys.exit(f"the criterion of success is wrong for {command}")
    return text


def check(figures, text):
    """Every figure, by name an expression with a group, must be a positive number in the text."""
    for name, (expression, group) in figures.items():
        found = re.search(expression, text, re.MULTILINE)
        if not found or not float(found.group(group)) > 0:
            sys.exit(f"the figure {name} is not in the output: {expression}")
    print(len(figures), "figures found")


class Application:
    """The application for Ramble: workloads with their commands and variables, figures, and the criterion of success."""

    def __init__(self):
        directives, calls = stand_in.recorder(
            "executable", "figure_of_merit", "success_criteria", "tags", "workload", "workload_group", "workload_variable")
        stand_in.module("ramble.appkit", ExecutableApplication=object, **directives)
        stand_in.load("ramble/applications/g500/application.py")
        executables = {args[0]: args[1] for name, args, _ in calls if name == "executable"}
        self.commands = {args[0]: executables[keys["executable"]] for name, args, keys in calls if name == "workload"}
        self.variables = {workload: {} for workload in self.commands}
        for name, args, keys in calls:
            if name == "workload_variable":
                for workload in [keys["workload"]] if "workload" in keys else self.commands:
                    self.variables[workload][args[0]] = keys["default"]
        self.figures = {args[0]: (keys["fom_regex"], keys["group_name"])
                        for name, args, keys in calls if name == "figure_of_merit"}
        [self.criterion] = [keys["match"] for name, _, keys in calls if name == "success_criteria"]

    def run(self, workload, variables):
        unknown = set(variables) - set(self.variables[workload]) - {
            "device_type", "env_name", "n_gpus", "n_nodes", "n_ranks", "n_resources", "process_problem_size",
            "processes_per_node", "total_problem_size"}
        if unknown:
            sys.exit(f"{workload} has no variables {unknown}")
        command = self.commands[workload]
        for name, value in {**self.variables[workload], **variables}.items():
            command = command.replace("{" + name + "}", value[0] if isinstance(value, list) else str(value))
        text = output(command, self.criterion)
        check({name: figure for name, figure in self.figures.items()
               if workload == "bfs_sssp" or "SSSP" not in name}, text)


def try_ramble(application):
    for workload, variables in application.variables.items():
        if workload.startswith("scale_") and workload != "scale_" + variables["scale"]:
            sys.exit(f"{workload} has scale {variables['scale']}")
    application.run("bfs", {})
    workspace = yaml.safe_load((stand_in.here / "ramble/ramble.yaml").read_text())["ramble"]
    for workload, contents in workspace["applications"]["g500"]["workloads"].items():
        for experiment in contents["experiments"].values():
            variables = experiment["variables"]
            if variables.get("env_name", "g500") not in workspace["software"]["environments"]:
                sys.exit(f"no environment for {variables}")
            application.run(workload, variables)


class Experiment:
    """A stand-in for Benchpark's class."""

    def __init__(self, defaults, cuda):
        self.name, self.variables, self.packages, self.cuda = "g500", {}, {}, cuda
        self.spec = types.SimpleNamespace(variants=defaults, satisfies=lambda condition: condition == "+cuda" and cuda)

    def add_experiment_variable(self, name, values, use_in_expr_name=False):
        self.variables[name] = values

    def set_required_variables(self, n_resources, process_problem_size, total_problem_size):
        self.variables.update(n_resources=n_resources)

    def add_package_spec(self, package_name, spec=None):
        self.packages[package_name] = spec


def try_benchpark(application):
    directives, calls = stand_in.recorder("maintainers", "variant")
    stand_in.module("benchpark.directives", **directives)
    stand_in.module("benchpark.experiment", Experiment=Experiment)
    stand_in.module("benchpark.programming_model", ProgrammingModel=lambda *models: type("ProgrammingModel", (), {}),
                    ProgrammingModelType=types.SimpleNamespace(Mpionly="mpi", Cuda="cuda"))
    experiment = stand_in.load("benchpark/experiments/g500/experiment.py")["G500"]
    defaults = {args[0]: [keys["default"]] for name, args, keys in calls if name == "variant"}
    for cuda in (False, True):
        made = experiment({**defaults, "ranks": ["2"]}, cuda)
        made.compute_applications_section()
        made.compute_package_section()
        if made.variables["scale"] != 25 or made.packages["g500"] != ["g500@0.3.0 +mpi"]:
            sys.exit(f"{made.variables}, {made.packages}")
        application.run(defaults["workload"][0], made.variables)


class RunOnlyRegressionTest:
    """A stand-in for ReFrame's class. A partition has two GPUs."""

    current_partition = types.SimpleNamespace(
        processor=types.SimpleNamespace(num_cores=8), devices=[types.SimpleNamespace(type="gpu", num_devices=2)])

    def __init__(self):
        self.job = types.SimpleNamespace(launcher=types.SimpleNamespace(registered_name="mpirun"))
        self.stdout, self.perf_variables = "stdout", {}


def try_reframe():
    hook = {"run_after": lambda stage: lambda function: function, "run_before": lambda stage: lambda function: function,
            "sanity_function": lambda function: function, "variable": lambda kind, value=None: value}
    tests = []
    stand_in.module("builtins", **hook)  # ReFrame adds them to the bodies of classes
    stand_in.module("reframe", RunOnlyRegressionTest=RunOnlyRegressionTest, simple_test=tests.append)
    stand_in.module("reframe.utility.sanity", assert_found=lambda expression, _: expression,
                    extractsingle=lambda expression, _, group, kind: (expression, group),
                    make_performance_function=lambda figure, unit: figure)
    stand_in.module("reframe.utility.typecheck", List={str: list})
    stand_in.load("reframe/g500.py")
    for made in [test() for test in tests]:
        made.set_command()
        made.share_cores()
        if (made.num_tasks, made.num_cpus_per_task) != {"cpu": (1, 8), "gpu": (2, 4)}[made.engine]:
            sys.exit(f"{made.num_tasks} tasks with {made.num_cpus_per_task} cores each for {made.engine}")
        made.set_figures()
        command = " ".join([made.executable, *made.executable_opts])
        check(made.perf_variables, output(command, made.valid()))


def try_akrr():
    """Runs the commands of AKRR's job, and finds the parameters and statistics that its parser must have."""
    conf = stand_in.load("akrr/graph500.app.conf")
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + "/execs/g500")
        os.symlink(os.path.dirname(program), folder + "/execs/g500/bin")
        names = {"appkernel_dir": folder, "executable": conf["executable"], "input_arg": "10 16"}
        job = "srun() { shift 2; " + " ".join(launcher) + ' "$@"; }\nakrr_write_to_gen_info() { :; }\n'
        job += conf["appkernel_run_env_template"].format(**names) + conf["akrr_run_appkernel_template"].format(**names)
        subprocess.run(["bash", "-euc", job], check=True, env={**os.environ, "AKRR_APP_STDOUT_FILE": folder + "/out"})
        text = pathlib.Path(folder, "out").read_text()
    if not re.search(r"^Graph500 version:\s+g500 \S+", text, re.MULTILINE):
        sys.exit("AKRR's parser finds no version")
    names = ["SCALE", "edgefactor", "NBFS"]
    for prefix in ("", r"bfs\s+", r"sssp\s+"):  # of release 2.1.1, and of the main branch
        names += [prefix + name for name in ("median_TEPS", "harmonic_mean_TEPS", "harmonic_stddev_TEPS")]
    check({name: (r"^" + name + r":[ !]+(\d[0-9.e+]+)", 1) for name in names}, text)


ramble = Application()
try_ramble(ramble)
try_benchpark(ramble)
try_reframe()
try_akrr()
