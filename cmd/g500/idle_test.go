package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/comm"
)

// A flag of the command line that has no effect is refused by name; in a file such a setting is accepted, so that one
// file serves several machines.
func TestFlagsWithoutEffectAreRefused(t *testing.T) {
	for args, want := range map[string]string{
		"run --format u64":                                         "--format has no effect without an edge file",
		"run --power-seconds 3":                                    "--power-seconds has no effect without --power",
		"run --print-config --json":                                "--json has no effect with --print-config",
		"run --print-config --quiet":                               "--quiet has no effect with --print-config",
		"run --print-config --log-dir x":                           "--log-dir has no effect with --print-config",
		"run --json --names spec":                                  "--names has no effect with --json",
		"run --scale 4 --engine cpu --policy beta=9":               "--policy has no effect on engine cpu",
		"run --scale 4 --engine topdown --policy beta=9 --ranks 3": "--policy has no effect on engine topdown",
		"run --scale 4 --engine topdown --trace":                   "--trace has no effect on engine topdown",
		"run --scale 4 --prune hub":                                "none if no shortest paths are searched",

		"validate --tree x --root 1 --format u64":                    "--format has no effect without an edge file",
		"validate --tree x --root 1 --edges y --seeds 1,1":           "--seeds has no effect with an edge file",
		"doctor --json --preset":                                     "--json and --preset exclude each other",
		"model --print-machine --scale 20":                           "--scale has no effect with --print-machine",
		"model --print-machine --json":                               "--json has no effect with --print-machine",
		"model --scaling weak --networks":                            "--scaling and --networks exclude each other",
		"model --scaling weak --exchange bins":                       "--exchange has no effect with --scaling",
		"model --networks --network 100gbe":                          "--network has no effect with --networks",
		"model --compare x --scale 20":                               "--scale has no effect with --compare",
		"lab bfs --list --json":                                      "--json has no effect with --list",
		"lab bfs --graph grid2d:2x2 --csv --trace":                   "--trace has no effect with --csv",
		"lab color --graph grid2d:2x2 --algorithm serial --opt fuse": "--opt has no effect without --algorithm opt or",

		"lab bfs --engine cpu --graph grid2d:2x2 --strategy merrill-hybrid":      "--strategy merrill-hybrid has no",
		"lab bfs --engine cpu --graph grid2d:2x2 --trace":                        "--trace has no effect with --engine cpu",
		"lab color --engine cpu --graph grid2d:2x2 --algorithm serial,data":      "--algorithm data has no effect",
		"lab pages --engine cpu --graph grid2d:2x2 --updates random --sources 2": "--sources 2 has no effect",
	} {
		status, out, errOut := call(strings.Fields(args)...)
		if status != misuse || !strings.Contains(lastLine(errOut), want) || out != "" {
			t.Errorf("%s: status %d, output %q, error %q, want %q", args, status, out, errOut, want)
		}
	}
}

func TestSettingsOfAFileMayBeIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.toml")
	text := "[graph]\nscale = 5\nformat = \"u64\"\n[search]\nengine = \"topdown\"\ntrace = true\npower_seconds = 3\n" +
		"[policy]\nbeta = 9\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out, errOut := call("run", "--config", path, "--quiet"); status != success || lastLine(out) != "VALID" {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

func TestRanksOfACommandLineUnderALauncher(t *testing.T) {
	t.Setenv("OMPI_COMM_WORLD_SIZE", "4")
	t.Setenv("OMPI_COMM_WORLD_RANK", "0")
	status, _, errOut := call("run", "--print-config", "--ranks", "2")
	if want := "--ranks has no effect under mpirun, which starts the ranks"; comm.HasMPI() &&
		(status != misuse || !strings.Contains(errOut, want)) {
		t.Errorf("status %d, %q, want %q", status, errOut, want)
	}
	if status, _, errOut := call("run", "--print-config", "--ranks", "4"); status != success {
		t.Errorf("the same number: status %d, %q", status, errOut)
	}
}
