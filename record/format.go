package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"g500/policy"
)

// object is a decoded JSON object. Its numbers are json.Number.
type object = map[string]any

// convert returns a stored run in the present format. It supplies the settings that programs of the run's time did not
// have. Any other member that the run lacks stays absent.
func convert(run object) (object, error) {
	format, _ := run["format"].(json.Number)
	switch format {
	case "1", "2":
		if format == "1" {
			if err := fromFormat1(run); err != nil {
				return nil, damaged(err)
			}
		}
		run = rename("", "", run).(object)
		if config, has := run["config"].(object); has && config["policy"] == nil {
			config["policy"] = object{}
		}
		presentPolicy(run)
		supplySettings(run, laterSettings)
	case json.Number(fmt.Sprint(Format)):
		if presentPolicy(run) {
			supplySettings(run, map[string][]string{"policy": policy.Keys()})
		}
	case "":
		return nil, fmt.Errorf("record: the file is no run of g500: a run has a member format, a number from 1 to %d",
			Format)
	default:
		return nil, fmt.Errorf("record: the run has JSON format %s, this g500 reads formats 1 to %d", format, Format)
	}
	run["format"] = json.Number(fmt.Sprint(Format))
	clearRefusedPower(run)
	return run, nil
}

// clearRefusedPower makes the figures of refused power null, which programs up to 0.3.0 wrote as 0.
func clearRefusedPower(run object) {
	kernels, _ := run["kernels"].([]any)
	for _, kernel := range kernels {
		of, _ := kernel.(object)
		power, _ := of["power"].(object)
		for _, figure := range []string{"watts", "joules_per_search", "teps_per_watt"} {
			if power["refused"] != nil && power[figure] == json.Number("0") {
				power[figure] = nil
			}
		}
	}
}

// presentPolicy renames keys of a run's policy and drops those that this program does not have. It reports whether
// there was one, which means that an earlier program wrote the run.
func presentPolicy(run object) (earlier bool) {
	config, _ := run["config"].(object)
	was, _ := config["policy"].(object)
	keys, is := policy.Keys(), object{}
	for key, value := range was {
		present := cmp.Or(policy.FormerKeys[key], key)
		earlier = earlier || !slices.Contains(keys, key)
		if slices.Contains(keys, present) {
			is[present] = value
		}
	}
	if was != nil {
		config["policy"] = is
	}
	return earlier
}

// laterSettings are the settings that the first programs of format 1 did not have.
var laterSettings = map[string][]string{
	"search":  {"kernel", "prune", "trace", "exchange", "result_bits", "kernel_times", "power", "power_seconds"},
	"machine": {"gpu_transport", "edge_memory"},
	"policy":  policy.Keys(),
}

// supplySettings adds settings that a run's configuration lacks, with their defaults.
func supplySettings(run object, later map[string][]string) {
	config, _ := run["config"].(object)
	text, err := json.Marshal(DefaultConfig())
	if err != nil {
		panic(err) // of our own type
	}
	defaults, _ := decoded(text)
	for table, names := range later {
		settings, _ := config[table].(object)
		for _, name := range names {
			if _, has := settings[name]; settings != nil && !has {
				settings[name] = defaults[table].(object)[name]
			}
		}
	}
}

// fromFormat1 converts a run from JSON format 1 to format 2.
//
// Format 1 had the fields of breadth-first search at the top, those of shortest paths below "sssp", and one line of
// text for the device. Its oldest runs lack the settings and fields that later programs added.
func fromFormat1(run object) error {
	kernels, err := takeKernels(run)
	if err != nil {
		return err
	}
	run["kernels"] = kernels
	parts, _ := run["earlier_parts"].([]any)
	for _, part := range append(parts, run) {
		if part, is := part.(object); is {
			convertEnvironment(part)
		}
	}
	addResultBits(run)
	return nil
}

// takeKernels removes the fields of the kernels from a run of format 1 and returns them by kernel. The kernel is
// removed from each search.
func takeKernels(run object) (kernels []any, err error) {
	setting := SearchConfig{Kernel: string(BFS)}
	if name, has := run["kernel"].(string); has {
		setting.Kernel = name
	}
	bfs := object{}
	for _, name := range []string{"search_keys", "construction_seconds", "searches", "power", "statistics"} {
		if value, has := run[name]; has {
			bfs[name] = value
		}
		delete(run, name)
	}
	paths, _ := run["sssp"].(object)
	if paths != nil {
		if statistics, has := run["sssp_statistics"]; has {
			paths["statistics"] = statistics
		}
		if keys, has := bfs["search_keys"]; has && paths["search_keys"] == nil {
			paths["search_keys"] = keys
		}
	}
	for _, name := range []string{"kernel", "sssp", "sssp_statistics"} {
		delete(run, name)
	}
	searches, _ := bfs["searches"].([]any)
	all := map[Kernel]object{BFS: bfs, SSSP: paths}
	for _, kernel := range setting.Kernels() {
		if all[kernel] == nil {
			return nil, fmt.Errorf("it has no searches of kernel %s", kernel)
		}
		if err := takeKernel(all[kernel], kernel); err != nil {
			return nil, err
		}
		kernels = append(kernels, all[kernel])
		delete(all, kernel)
	}
	if all[SSSP] != nil || all[BFS] != nil && len(searches) > 0 {
		return nil, fmt.Errorf("its kernel is %s, and it has searches of another one", setting.Kernel)
	}
	return kernels, nil
}

// takeKernel sets the kernel of a kernel's fields and removes it from its searches.
func takeKernel(fields object, kernel Kernel) error {
	fields["kernel"] = string(kernel)
	searches, _ := fields["searches"].([]any)
	for _, search := range searches {
		s, _ := search.(object)
		of, has := s["kernel"].(string)
		if !has {
			of = string(BFS)
		}
		if of != string(kernel) {
			return fmt.Errorf("search key %v%s is of kernel %s", s["key"], kernel.Of(), of)
		}
		delete(s, "kernel")
		steps, _ := s["trace"].([]any)
		for _, step := range steps {
			if of, is := step.(object); is {
				delete(of, "bytes") // of all ranks together; later traces have them by rank
			}
		}
	}
	return nil
}

// convertEnvironment parses the device's line of text in the environment of a run or of an earlier part, and removes
// the MPI library of a run whose ranks were in one process.
func convertEnvironment(run object) {
	environment, _ := run["environment"].(object)
	if environment["transport"] == "loopback" {
		delete(environment, "mpi")
	}
	if text, is := environment["device"].(string); is {
		delete(environment, "device")
		if text != "" {
			environment["device"] = parseDevice(text)
		}
	}
}

// parseDevice parses the line of text that Device.String returns. Properties that the text lacks are absent.
func parseDevice(text string) object {
	d := object{}
	card, rest, _ := strings.Cut(text, "; ")
	for i, part := range strings.Split(card, ", ") {
		if number, is := strings.CutPrefix(part, "GPU "); is {
			d["number"] = json.Number(number)
		} else if i == 1 {
			d["name"] = part
		} else if processors, is := strings.CutSuffix(part, " multiprocessors"); is {
			d["multiprocessors"] = json.Number(processors)
		} else if capability, is := strings.CutPrefix(part, "compute capability "); is {
			d["compute_capability"] = capability
		} else if driver, is := strings.CutPrefix(part, "driver for "); is {
			d["driver"] = driver
		}
	}
	d["built_with"], rest, _ = strings.Cut(rest, "; ")
	if before, after, blocked := strings.Cut(rest, "; no pre-launch"); blocked {
		rest, d["launching"] = before, "no pre-launch"+after
	}
	d["carriers"] = rest
	return d
}

// addResultBits adds the bits of a parent to a run of the first programs, which had 32 on GPUs and 64 elsewhere.
func addResultBits(run object) {
	environment, _ := run["environment"].(object)
	engine, _ := environment["engine"].(string)
	if run["result_bits"] != nil || engine == "" {
		return
	}
	run["result_bits"] = json.Number("64")
	if engine == "gpu" {
		run["result_bits"] = json.Number("32")
	}
	config, _ := run["config"].(object)
	if search, _ := config["search"].(object); search != nil && search["result_bits"] == nil {
		search["result_bits"] = run["result_bits"]
	}
}
