#!/usr/bin/env python3
"""Starts g500 with odd command lines, files, folders and environments, and checks how each invocation ends.

    odd.py PROGRAM [--number 3000] [--seed 1] [--table odd.csv] [--cases FOLDER] [--only NUMBER]

Each invocation must end within 20 s (5 s after a signal), with status 0, or with another status and a sentence. Its
output must hold no trace of a crash, no control character, no words of Go's libraries; nothing outside its folder
may change. Mutated records that contradict themselves must be refused. Run it as an unprivileged user: unreadable
and read-only files are among the inputs.
"""
import argparse, copy, csv, json, os, random, re, shutil, signal, stat, subprocess, sys, tempfile, time

CRASH = re.compile(r"panic:|goroutine \d+ \[|fatal error|SIGSEGV|Segmentation fault|%!|runtime error|0xc000|nil pointer")
GOWORDS = re.compile(r"strconv\.|cannot unmarshal|(?<![\w.\"])json: |invalid syntax|of type (?:int|string|float|bool|uint)\w*\b|"
                     r"Go struct|makeslice|syntax error in pattern|(?<![\w.\"])toml: |main\.|\*os\.|unexpected end of JSON|"
                     r"looking for beginning of|invalid character '|encoding/|D?[bcps]rw[-r]")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069\ufffd]")
NUMBERS = ["-1", "0", "1", "2", "7", "65", "4096", "-0", "2147483647", "2147483648", "4294967296", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "1e3", "1e308", "1e309", "NaN", "Inf", "-Inf", "0x10", "010", "1_0",
           " 5", "5 ", "", "x", "1.5", "½", "١", "--", "5%", "1,2", "\u202e7", "3\n4", "$(id)", "%s%n", "'", '"']
WORDS = ["", "auto", "cpu", "AUTO", "hybrid", "topdown", "mpi", "loopback", "hub", "none", "nosuch", "both", "sssp", "bfs",
         "fifo", "-", "--", ".", "..", "/", "/dev/null", "/dev/zero", "/dev/full", "/etc/passwd", "/root/x", "a b", "a\tb",
         "\x1b[31mred", "nö", "x" * 300, "../../x", "*", "[x", "a[1]", "{}", "file:", "file:fifo", "file:/dev/zero", "%s%n",
         "true", "false", "yes", "TRUE", "2", "1,2", "2,3,4", "a=b", "alpha=30", "alpha=", "=3", "alpha=NaN", "90s", "-5s", "1h",
         "1e3s", "road:3x3", "road:0x0", "road:-1x4", "grid2d:8x8", "uniform:vertices=10,degree=2", "uniform:vertices=1e9"]
COMMANDS = [["run"], ["doctor"], ["net"], ["scale"], ["report"], ["compare"], ["graph", "info"], ["graph", "convert"],
            ["graph", "specs"], ["generate"], ["validate"], ["lab", "bfs"], ["lab", "color"], ["lab", "pages"], ["lab", "study"],
            ["submission"], ["version"], ["schema"], ["man"], ["completion"], ["completion", "bash"], ["help"], []]


class Odd:
    def __init__(self, arguments):
        self.a, self.program = arguments, os.path.abspath(arguments.program)
        self.base = tempfile.mkdtemp(prefix="odd-")
        self.flags = {}
        self.small = ["--scale", "6", "--keys", "2", "--ranks", "1", "--threads", "1"]
        self.good = self.made("good", ["run", "--scale", "7", "--keys", "4", "--trees", "--trace", "--threads", "1"])
        self.both = self.made("both", ["run", "--scale", "7", "--keys", "4", "--kernel", "both", "--threads", "1"])
        self.study = self.made("study.toml", None)
        self.documents = [json.load(open(os.path.join(d, "run.json"))) for d in (self.good, self.both)]
        self.cases = [os.path.join(arguments.cases, f) for f in sorted(os.listdir(arguments.cases))] if arguments.cases else []

    def made(self, name, command):
        path = os.path.join(self.base, name)
        if command is None:
            text = 'scaling = "strong"\nscales = [6, 7]\nranks = [1, 2]\nrepeats = 1\nflags = ["--keys", "2"]\n'
            open(path, "w").write(text)
        else:
            subprocess.run([self.program, *command, "--output", path], check=True, capture_output=True)
        return path

    def flags_of(self, command):
        key = tuple(command)
        if key not in self.flags:
            text = subprocess.run([self.program, *command, "--help"], capture_output=True, text=True).stdout
            self.flags[key] = re.findall(r"^\s+(?:-\w, )?(--[\w-]+)(?: ([\w,=A-Z]+))?  ", text, re.M)
        return self.flags[key]

    # What an invocation is: (kind, arguments, environment, standard input, signal after s, rule on the status)
    def draw(self, r, folder):
        kind = r.choices(["flag", "file", "record", "graph", "toml", "environment", "signal", "folder", "mpi", "text"],
                         [22, 12, 22, 12, 9, 9, 4, 6, 1, 3])[0]
        return getattr(self, "draw_" + kind)(r, folder)

    def result(self, kind, args, **more):
        return dict({"kind": kind, "args": args, "env": {}, "stdin": "null", "signal": None, "must": None, "limits": ""}, **more)

    def plausible(self, command, r, folder):
        """Arguments with which the command works on small inputs."""
        return {("run",): self.small, ("net",): ["--sizes", "8", "--repeats", "2"], ("scale",): [self.study, "--output", folder + "/s"],
                ("report",): [self.good, "--output", folder + "/r"], ("compare",): [self.good, self.both],
                ("graph", "info"): ["grid2d:4x4"], ("graph", "convert"): ["grid2d:4x4", "--output", folder + "/g.mtx"],
                ("generate",): ["--scale", "5", "--output", folder + "/e"],
                ("validate",): ["--scale", "7", "--root", "1", "--tree", self.good + "/nosuch"],
                ("lab", "bfs"): ["--graph", "grid2d:4x4"], ("lab", "color"): ["--graph", "grid2d:4x4"], ("lab", "pages"): ["--graph", "grid2d:4x4"],
                ("submission",): [self.good, "--output", folder + "/sub"], ("schema",): ["run"], ("man",): ["--dir", folder + "/m"],
                ("lab", "study"): [self.study]}.get(tuple(command), [])

    def draw_flag(self, r, folder):
        command = r.choice(COMMANDS)
        args = list(command) + list(self.plausible(command, r, folder) if r.random() < .8 else [])
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            flags = self.flags_of(command)
            if not flags:
                break
            flag, value = r.choice(flags)
            if flag in ("--min-time", "--power-seconds") and r.random() < .7:
                continue
            odd = r.choice(NUMBERS if r.random() < .6 else WORDS)
            args.append(flag + "=" + odd if value or r.random() < .2 else flag)
        if r.random() < .06:
            args.append(r.choice(["--nosuch", "-v", "-o", "--scal", "--", "rum", "\x1b[31m", "--output", "--graph="]))
        return self.result("flag", args)

    def special(self, r, path):
        """Makes something at path that is no ordinary small file."""
        kind = r.choice(["fifo", "zero", "full", "null", "folder", "sparse", "binary", "unreadable", "dangling", "loop", "empty", "socket",
                         "longline", "nul", "tty"])
        if kind == "fifo":
            os.mkfifo(path)
        elif kind in ("zero", "full", "null", "tty"):
            os.symlink("/dev/" + kind, path)
        elif kind == "folder":
            os.mkdir(path)
        elif kind == "sparse":
            with open(path, "wb") as f:
                f.truncate(1 << 36)
        elif kind == "binary":
            open(path, "wb").write(r.randbytes(3000))
        elif kind == "unreadable":
            open(path, "w").write("{}")
            os.chmod(path, 0)
        elif kind == "dangling":
            os.symlink(path + "-nowhere", path)
        elif kind == "loop":
            os.symlink(path, path)
        elif kind == "empty":
            open(path, "w").close()
        elif kind == "socket":
            import socket
            here = os.getcwd()
            os.chdir(os.path.dirname(path))
            socket.socket(socket.AF_UNIX).bind(os.path.basename(path))
            os.chdir(here)
        elif kind == "longline":
            open(path, "w").write("[" * 200000)
        else:
            open(path, "wb").write(b"\x00\x1b]0;x\x07" * 50)
        return kind

    def draw_file(self, r, folder):
        path = folder + "/" + r.choice(["x", "x.toml", "x.json", "a b", "nö", "[x", "x.mtx", "-x"])
        kind = self.special(r, path)
        where = r.choice([["run", "--config", path], ["scale", path], ["run", *self.small, "--roots", path], ["lab", "bfs", "--graph",
                 "grid2d:4x4", "--times", path], ["lab", "bfs", "--graph", "grid2d:4x4", "--strategies", path], ["lab", "pages", "--graph",
                 "grid2d:4x4", "--updates", path], ["lab", "pages", "--graph", "grid2d:4x4", "--strategies", path], ["lab", "study", path],
                 ["report", path], ["compare", path, self.good], ["compare", self.good, path], ["submission", path], ["run", "--resume", path],
                 ["submission", self.both, "--unpruned", path], ["run", *self.small, "--output", path], ["report", self.good, "--output", path],
                 ["generate", "--scale", "5", "--output", path], ["submission", self.good, "--output", path], ["run", "--scale", "6", "--keys",
                 "2", "--edges", path], ["validate", "--scale", "7", "--root", "3", "--tree", path], ["man", "--dir", path], ["run", *self.small,
                 "--prometheus", path], ["run", *self.small, "--log-dir", path], ["net", "--sizes", "8", "--repeats", "2", "--prometheus", path],
                 ["doctor", "--prometheus", path]])
        if path.endswith(".mtx") or r.random() < .1:
            if kind != "fifo":
                where = ["graph", "info", "file:" + path]
        return self.result("file:" + kind, where)

    def leaves(self, node, path=()):
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in items:
            yield path + (key,)
            yield from self.leaves(value, path + (key,))

    def draw_record(self, r, folder):
        which = r.randrange(2)
        document = copy.deepcopy(self.documents[which])
        paths = list(self.leaves(document))
        changed = []
        for _ in range(r.choice([1, 1, 1, 2])):
            path = r.choice(paths)
            try:
                node = document
                for key in path[:-1]:
                    node = node[key]
                old = node[path[-1]]
            except (KeyError, IndexError, TypeError):
                continue
            how = r.choice(["delete", "plus", "negate", "type", "huge", "escape", "null", "formula"])
            changed.append(how + " " + ".".join(map(str, path)))
            if how == "delete":
                del node[path[-1]]
            elif how in ("plus", "negate", "huge") and isinstance(old, (int, float)) and not isinstance(old, bool):
                node[path[-1]] = {"plus": old + 1, "negate": -old - 1, "huge": 1e300}[how]
            elif how == "escape" and isinstance(old, str):
                node[path[-1]] = "\x1b[31m" + old + "\x1b]0;p\x07"
            elif how == "formula" and isinstance(old, str):
                node[path[-1]] = '=cmd|"/c calc"!A1'
            else:
                node[path[-1]] = r.choice([None, "x", -1, [], {}, True, 1.5, [1], {"a": 1}])
        run = folder + "/run"
        shutil.copytree((self.good, self.both)[which], run)
        text = json.dumps(document)
        if r.random() < .06:
            cut = r.randrange(len(text))
            text = r.choice([text[:cut], text[:cut] + "\x1b" + text[cut:], text + text, text.replace('"', "'", 3)])
            changed.append("damaged text")
        open(run + "/run.json", "w").write(text)
        if r.random() < .12:
            name = r.choice(sorted(f for f in os.listdir(run) if os.path.isfile(run + "/" + f)))
            data = open(run + "/" + name, "rb").read()
            at = r.randrange(len(data) or 1)
            open(run + "/" + name, "wb").write(r.choice([data[:at], data[:at] + b"\xff\x1b" + data[at:], data + data, b""]))
            changed.append("damaged " + name)
        args = r.choice([["submission", run, "--output", folder + "/sub"], ["report", folder, "--output", folder + "-r"], ["compare", run, self.good],
                         ["run", "--resume", run], ["report", folder, "--csv", "--output", folder + "-c"], ["submission", run, "--unpruned", run]])
        return self.result("record: " + "; ".join(changed), args)

    def graph_text(self, r):
        n = r.choice([1, 2, 5, 9])
        separator = r.choice([" ", "\t", ",", ";", "|", "  ", ", "])
        lines = [separator.join(str(r.choice([r.randrange(n + 1), r.randrange(n), -1 if r.random() < .02 else 1]))
                                for _ in range(r.choice([2, 2, 2, 3, 3, 4, 1, 5]))) for _ in range(r.choice([0, 1, 3, 12]))]
        head = r.choice(["", "", "%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n" % (n, n, len(lines)),
                         "%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n".format(n, len(lines) + r.choice([0, 1, -1])),
                         "p sp %d %d\n" % (n, len(lines)), "%d %d\n" % (n, len(lines)), "# Nodes: %d Edges: %d\n" % (n, len(lines)),
                         "\ufeff", "source,target,weight\n", "AdjacencyGraph\n%d\n%d\n" % (n, len(lines)), "<graphml>\n", "*Vertices %d\n" % n,
                         "\x1b[31m\n", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "% bip\n", "%d %d 011\n" % (n, len(lines))])
        return (head + r.choice(["\n", "\r\n", "\r", "\n\n"]).join(lines) + r.choice(["", "\n", " ", "\x00"])).encode("utf-8")

    def draw_graph(self, r, folder):
        suffix = r.choice(["txt", "mtx", "gr", "graph", "el", "wel", "csv", "tsv", "edges", "adj", "sg", "gz", "zip", "tar.gz", "", "json", "npz", "rar",
                           "parquet", "metis", "col", "net", "wsg"])
        path = folder + "/g." + suffix if suffix else folder + "/g"
        data = self.graph_text(r)
        if self.cases and r.random() < .4:
            source = r.choice(self.cases)
            if os.path.isfile(source):
                data = bytearray(open(source, "rb").read())
                for _ in range(r.choice([0, 1, 1, 3])):
                    if data:
                        data[r.randrange(len(data))] = r.randrange(256)
                if r.random() < .3:
                    data = data[:r.randrange(len(data) + 1)]
                path = folder + "/" + os.path.basename(source)
        open(path, "wb").write(bytes(data))
        spec = "file:" + path + r.choice(["", "", "", "", ",format=snap", ",format=mtx", ",labels=renumber", ",symmetric=yes", ",columns=src,dst",
                                          ",weights=integer", ",nosuch=1", ",member=x", ",format=", ",directed=true"])
        args = r.choice([["graph", "info", spec], ["graph", "info", spec], ["run", "--graph", spec, "--keys", "2", "--threads", "1"], ["run", "--graph", spec,
                         "--keys", "2", "--threads", "1", "--kernel", "sssp"], ["graph", "convert", spec, "--output", folder + "/out." +
                         r.choice(["mtx", "el", "wel", "sg", "gr", "txt", "nosuch", "graph"])]])
        return self.result("graph", args)

    def draw_toml(self, r, folder):
        sections = ["graph", "search", "machine", "output", "policy", "Graph", "nosuch", "", "graph.x", "\x1b[31m", "a" * 200]
        keys = ["scale", "keys", "edgefactor", "seeds", "ranks", "threads", "engine", "transport", "validate", "kernel", "trace", "nosuch", "scal", "min_time",
                "prune", "directory", "alpha", "edges", "roots", "scales", "scaling", "repeats", "kernels", "flags"]
        values = ["8", "-1", "1e9", "nan", "inf", '"x"', "true", "[1, 2]", "{}", "[]", '"\\u001b[31m"', "2020-01-01", "9223372036854775807", "1.5", '""',
                  "[2, 3]", '["bfs"]', '["--threads", "1"]', '"hub"', '"loopback"', "0x10", "'", '"""', "[[", "[1, 'a']", '["-x"]']
        lines = []
        for _ in range(r.choice([1, 2, 4])):
            if r.random() < .7:
                lines.append("[%s]" % r.choice(sections))
            for _ in range(r.choice([0, 1, 2])):
                lines.append("%s = %s" % (r.choice(keys), r.choice(values)))
        path = folder + "/c.toml"
        open(path, "w", newline="").write(r.choice(["\n", "\r\n"]).join(lines) + r.choice(["", "\n", "\x00", "\ufeff"]))
        if r.random() < .3:
            good = 'scaling = "weak"\nscales = [5]\nranks = [1]\n' + "%s = %s\n" % (r.choice(keys), r.choice(values))
            open(path, "w").write(good)
        args = r.choice([["run", "--config", path, *self.small], ["run", "--config", path, "--print-config"], ["scale", path, "--output", folder + "/s"],
                         ["lab", "bfs", "--graph", "grid2d:4x4", "--strategies", path], ["lab", "study", path, "--output", folder + "/l"]])
        return self.result("toml", args)

    def draw_environment(self, r, folder):
        names = {"GOMAXPROCS": ["1", "0", "-1", "x", "100000"], "OMP_NUM_THREADS": ["1", "x", "2,2"], "HOME": ["", "/nowhere"], "TMPDIR": ["/nowhere", ""],
                 "LC_ALL": ["de_DE.UTF-8", "x"], "TZ": ["Asia/Kathmandu", "x"], "NO_COLOR": ["1"], "TERM": ["dumb", ""], "COLUMNS": ["1", "x", "-5"],
                 "SLURM_JOB_ID": ["7", "x"], "SLURM_NTASKS": ["4", "x"], "SLURM_PROCID": ["0", "1", "x"], "SLURM_STEP_ID": ["0"],
                 "SLURM_CPUS_PER_TASK": ["0", "2", "x"], "PMI_RANK": ["0", "1", "x"], "PMI_SIZE": ["1", "16", "x"], "PMIX_RANK": ["0", "3", "x"],
                 "PMIX_NAMESPACE": ["n"], "FLUX_TASK_RANK": ["0", "1"], "FLUX_JOB_SIZE": ["16", "1", "x"], "JSM_NAMESPACE_RANK": ["1"],
                 "JSM_NAMESPACE_SIZE": ["4", "x"], "PALS_RANKID": ["1"], "PALS_NODEID": ["0"], "OMPI_COMM_WORLD_RANK": ["1", "x"],
                 "OMPI_COMM_WORLD_SIZE": ["4", "x"], "CUDA_VISIBLE_DEVICES": ["", "7", "x"], "G500_NCCL": ["/nowhere", "/dev/zero"], "PATH": ["", "/nowhere"],
                 "GODEBUG": ["x=1", "gctrace=0"], "GOGC": ["off", "50"], "GOMEMLIMIT": ["1MiB", "8GiB"], "MPICH_X": ["1"], "LANG": ["C"]}
        env = {name: r.choice(names[name]) for name in r.sample(sorted(names), r.choice([1, 1, 2, 3]))}
        limits = r.choice(["", "", "", "ulimit -n 8;", "ulimit -n 4;", "ulimit -f 0;", "ulimit -f 8;", "ulimit -t 1;", "ulimit -s 64;", "ulimit -u 3000;",
                           "ulimit -c 0;", "ulimit -d 100000;"])
        command = r.choice([["run", *self.small], ["run", *self.small, "--output", folder + "/o"], ["doctor"], ["version"], ["net", "--sizes", "8", "--repeats", "2"],
                            ["graph", "info", "grid2d:4x4"], ["report", self.good, "--output", folder + "/r"], ["doctor", "--json"], ["run", "--help"]])
        return self.result("environment", command, env=env, limits=limits, stdin=r.choice(["null", "closed", "null"]))

    def draw_signal(self, r, folder):
        command = r.choice([["run", "--scale", "15", "--keys", "500", "--threads", "1"], ["run", "--scale", "14", "--keys", "300", "--output", folder + "/o", "--trees"],
                            ["run", "--scale", "14", "--keys", "300", "--kernel", "both", "--ranks", "3"], ["scale", self.study, "--output", folder + "/s"],
                            ["graph", "info", "grid2d:1500x1500"], ["generate", "--scale", "20", "--output", folder + "/e"], ["report", self.good, "--output", folder + "/r"],
                            ["lab", "bfs", "--graph", "grid2d:300x300"], ["net", "--repeats", "100000"], ["graph", "info", "file:/dev/stdin"]])
        return self.result("signal", command, signal=(r.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP]), r.choice([0, .01, .1, .4, 1, 2])),
                           stdin=r.choice(["null", "open"]))

    def draw_folder(self, r, folder):
        name = r.choice(["[x", "a b", "nö", "\x1b[31m", "-x", "a\nb", "'", "*", "x" * 200, "\u202ex", "=1+1", "%s%n", "a,b;c", "\udcff"])
        place = folder + "/" + name
        shutil.copytree(self.good, place)
        how = r.choice(["", "readonly", "linked report", "unreadable", "nested", "link to run.json", "extra files"])
        if how == "readonly":
            os.chmod(place, 0o555)
        elif how == "linked report":
            os.mkdir(folder + "/other")
            open(folder + "/other/index.html", "w").write("mine")
            os.symlink("../other", place + "/report")
        elif how == "unreadable":
            os.chmod(place + "/run.json", 0)
        elif how == "nested":
            shutil.copytree(self.good, place + "/deep/deeper")
        elif how == "link to run.json":
            os.remove(place + "/run.json")
            os.symlink(self.good + "/run.json", place + "/run.json")
        elif how == "extra files":
            os.mkfifo(place + "/fifo")
            open(place + "/x.json", "w").write("{")
        args = r.choice([["report", place], ["report", folder], ["compare", place, place], ["submission", place], ["run", "--resume", place],
                         ["run", *self.small, "--output", place], ["report", place, "--csv"], ["lab", "study", place]])
        return self.result("folder: " + how, args, must="untouched" if how == "linked report" else None)

    def draw_mpi(self, r, folder):
        parts = r.choice([[["run", *self.small], ["run", "--help"]], [["run", *self.small], ["version"]], [["run", *self.small[:4]], ["run", "--scale", "7", "--keys", "2"]],
                          [["run", "--scale", "6", "--keys", "2", "--nosuch"], ["run", "--scale", "6", "--keys", "2"]], [["net", "--sizes", "8"], ["doctor"]],
                          [["run", "--scale", "6", "--keys", "2", "--threads", "1"], ["run", "--scale", "6", "--keys", "2", "--threads", "2"]],
                          [["run", "--scale", "6", "--keys", "2", "--output", folder + "/a"], ["run", "--scale", "6", "--keys", "2", "--output", folder + "/b"]]])
        parts = [[w for i, w in enumerate(p) if w != "--ranks" and (i == 0 or p[i - 1] != "--ranks")] for p in parts]
        return self.result("mpi", parts, limits="mpi")

    def draw_text(self, r, folder):
        args = [r.choice(WORDS + NUMBERS) for _ in range(r.choice([1, 2, 4]))]
        if r.random() < .6:
            args = r.choice(COMMANDS) + args
        return self.result("text", args, stdin=r.choice(["null", "closed"]))

    def start(self, invocation, folder):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI", "SLURM"))}
        env = dict(clean, **{k: v for k, v in invocation["env"].items()})
        args = [a.replace("\x00", "") if isinstance(a, str) else a for a in invocation["args"]]
        if invocation["limits"] == "mpi":
            words = []
            for part in args:
                words += ([":"] if words else []) + ["-n", "1", self.program, *part]
            words = ["/usr/bin/mpirun", "--oversubscribe", "--bind-to", "none", *words]
        else:
            words = ["/bin/bash", "-c", "ulimit -v 6291456 2>/dev/null; " + invocation["limits"] + ' exec "$0" "$@"', self.program, *args]
        stdin = {"null": subprocess.DEVNULL, "open": subprocess.PIPE, "closed": None}[invocation["stdin"]]
        if invocation["stdin"] == "closed":
            words = ["/bin/sh", "-c", 'exec "$0" "$@" <&-', *words]
        return subprocess.Popen([w.encode("utf-8", "surrogateescape") for w in words], cwd=folder, env=env, stdin=stdin, stdout=open(self.base + "/out", "wb"),
                                stderr=open(self.base + "/err", "wb"), start_new_session=True)

    def run(self, number):
        r = random.Random("%d %d" % (self.a.seed, number))
        folder = os.path.join(self.base, "job%d" % number)
        os.mkdir(folder)
        invocation = self.draw(r, folder)
        began = time.monotonic()
        process = self.start(invocation, folder)
        limit, fault = 20, ""
        if invocation["limits"] == "mpi":
            limit = 40
        try:
            if invocation["signal"]:
                number_of_signal, after = invocation["signal"]
                try:
                    process.wait(after)
                except subprocess.TimeoutExpired:
                    process.send_signal(number_of_signal)
                    limit = 8
            process.wait(limit)
        except subprocess.TimeoutExpired:
            fault = "did not end within %d s" % limit
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        took = time.monotonic() - began
        out, err = (open(self.base + "/" + f, "rb").read(4 << 20) for f in ("out", "err"))
        fault = fault or self.check(invocation, process.returncode, out, err, folder)
        subprocess.run(["chmod", "-R", "u+rwX", folder], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
        for extra in ("-r", "-c"):
            shutil.rmtree(folder + extra, ignore_errors=True)
        shown = json.dumps(invocation["args"]).replace(self.base, "$T")
        return [number, invocation["kind"].split(":")[0], invocation["kind"].partition(": ")[2] or invocation["kind"].partition(":")[2], shown,
                json.dumps(invocation["env"]) + invocation["limits"], process.returncode, "%.1f" % took, fault,
                (err or out).decode("utf-8", "replace")[-300:].replace(self.base, "$T")], out, err

    def check(self, invocation, status, out, err, folder):
        both = (out + b"\n" + err).decode("utf-8", "replace")
        if found := CRASH.search(both):
            return "crash: " + found.group()
        if status < 0 and not invocation["signal"] and "ulimit" not in invocation["limits"]:
            return "ended by signal %d" % -status
        if status > 2 and not invocation["signal"] and not invocation["limits"]:
            return "status %d" % status
        if found := CONTROL.search(both):
            return "control character %r after %r" % (found.group(), both[max(0, found.start() - 40):found.start()])
        if found := GOWORDS.search(err.decode("utf-8", "replace")):
            return "words of Go: " + found.group()
        if status == 2 and not re.search(r"^(rank \d+: )?g500: .{10,}", both, re.M) and not invocation["limits"]:
            return "status 2 without a sentence"
        if status == 1 and not re.search(r"^(rank \d+: )?g500: .{10,}|INVALID|INCOMPLETE|^FAILED|cannot be submitted: nothing was written", both, re.M) and not invocation["limits"]:
            return "status 1 without a sentence"
        lines = re.findall(r"^g500: .*", err.decode("utf-8", "replace"), re.M)
        if status == 0 and lines and invocation["args"][:1] != ["doctor"]:
            return "status 0 with an error: " + lines[0]
        if len(set(lines)) > 1 and invocation["limits"] != "mpi":
            return "%d sentences" % len(set(lines))
        if any(len(line) > 700 for line in lines):
            return "a sentence of %d letters" % max(map(len, lines))
        if invocation["must"] == "untouched" and open(folder + "/other/index.html").read() != "mine":
            return "wrote through a link"
        if invocation["kind"].startswith("record: delete run.status;") and status == 0:
            return "accepted"
        return ""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--number", type=int, default=3000)
    p.add_argument("--first", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--table", default="odd.csv")
    p.add_argument("--cases", default="")
    p.add_argument("--only", type=int)
    a = p.parse_args()
    odd, found = Odd(a), 0
    try:
        if a.only:
            row, out, err = odd.run(a.only)
            print(row)
            print(out.decode("utf-8", "replace")[-2000:], err.decode("utf-8", "replace")[-2000:], sep="\n---\n")
            return
        with open(a.table, "w", newline="") as f:
            table = csv.writer(f)
            table.writerow(["number", "kind", "detail", "arguments", "environment", "status", "seconds", "fault", "last words"])
            for number in range(a.first, a.first + a.number):
                row = odd.run(number)[0]
                table.writerow([str(c).encode("unicode_escape").decode() if i in (3, 8) else c for i, c in enumerate(row)])
                f.flush()
                if row[7]:
                    found += 1
                    print(number, row[1], row[2][:60], row[7], row[3][:150], flush=True)
        print("%d invocations, %d with a fault" % (a.number, found))
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", odd.base], capture_output=True)
        shutil.rmtree(odd.base, ignore_errors=True)


main()
