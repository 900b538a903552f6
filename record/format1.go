package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// fields are a JSON object whose values are not decoded.
type fields map[string]json.RawMessage

// fromFormat1 converts a run from JSON format 1 to the present format.
//
// Format 1 had the fields of breadth-first search at the top, those of shortest paths below "sssp", and one line of
// text for the device. Its oldest runs lack the settings and fields that later programs added.
func fromFormat1(text []byte) ([]byte, error) {
	var run fields
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, err
	}
	kernels, err := run.takeKernels()
	if err == nil {
		err = errors.Join(run.put("kernels", kernels), run.put("format", formatVersion), run.convertEnvironments())
	}
	if err == nil {
		err = run.addResultBits()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(run)
}

// get decodes a field. It leaves the value unchanged if the field is absent.
func (f fields) get(name string, value any) error {
	text, has := f[name]
	if !has {
		return nil
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (f fields) put(name string, value any) (err error) {
	f[name], err = json.Marshal(value)
	return err
}

// move moves a field to another object, if it is there.
func (f fields) move(name string, to fields, as string) {
	if value, has := f[name]; has {
		to[as] = value
		delete(f, name)
	}
}

// takeKernels removes the fields of the kernels from a run and returns them as the present format has them.
func (f fields) takeKernels() (kernels []fields, err error) {
	setting := SearchConfig{Kernel: string(BFS)}
	var paths fields
	if err := errors.Join(f.get("kernel", &setting.Kernel), f.get("sssp", &paths)); err != nil {
		return nil, err
	}
	bfs := fields{}
	for _, name := range []string{"search_keys", "construction_seconds", "searches", "power", "statistics"} {
		f.move(name, bfs, name)
	}
	if paths != nil {
		f.move("sssp_statistics", paths, "statistics")
		if keys, has := bfs["search_keys"]; has && paths["search_keys"] == nil {
			paths["search_keys"] = keys
		}
	}
	delete(f, "kernel")
	delete(f, "sssp")
	var searches []json.RawMessage
	if err := bfs.get("searches", &searches); err != nil {
		return nil, err
	}
	all := map[Kernel]fields{BFS: bfs, SSSP: paths}
	for _, kernel := range setting.Kernels() {
		kernels = append(kernels, all[kernel])
		err = errors.Join(err, all[kernel].ofKernel(kernel))
		delete(all, kernel)
	}
	if all[SSSP] != nil || all[BFS] != nil && len(searches) > 0 {
		return nil, fmt.Errorf("its kernel is %s, and it has searches of another one", setting.Kernel)
	}
	return kernels, err
}

// ofKernel names the kernel of a kernel's fields, in place of its searches, which named it in format 1.
func (f fields) ofKernel(kernel Kernel) error {
	if f == nil {
		return fmt.Errorf("it has no searches of kernel %s", kernel)
	}
	var searches []fields
	if err := f.get("searches", &searches); err != nil {
		return err
	}
	for _, s := range searches {
		of := BFS
		if err := s.get("kernel", &of); err != nil {
			return err
		}
		if of != kernel {
			return fmt.Errorf("search key %s%s is of kernel %s", s["key"], kernel.Of(), of)
		}
		delete(s, "kernel")
	}
	return errors.Join(f.put("searches", searches), f.put("kernel", kernel))
}

// convertEnvironments converts the device of the run and of its earlier parts.
func (f fields) convertEnvironments() error {
	var parts []fields
	if err := f.get("earlier_parts", &parts); err != nil {
		return err
	}
	for _, owner := range append(parts, f) {
		var environment fields
		var device string
		if err := owner.get("environment", &environment); err != nil || environment == nil {
			return err
		}
		if err := environment.get("device", &device); err != nil || device == "" {
			return err
		}
		if err := errors.Join(environment.put("device", parseDevice(device)),
			owner.put("environment", environment)); err != nil {
			return err
		}
	}
	if parts == nil {
		return nil
	}
	return f.put("earlier_parts", parts)
}

// parseDevice reads the line of text that Device.String returns. What the text lacks is zero.
func parseDevice(text string) *Device {
	d := new(Device)
	card, rest, _ := strings.Cut(text, "; ")
	for i, part := range strings.Split(card, ", ") {
		switch {
		case i == 0:
			_, _ = fmt.Sscanf(part, "GPU %d", &d.Number)
		case i == 1:
			d.Name = part
		case strings.HasSuffix(part, " multiprocessors"):
			_, _ = fmt.Sscanf(part, "%d", &d.Processors)
		case strings.HasPrefix(part, "compute capability "):
			d.Capability = strings.TrimPrefix(part, "compute capability ")
		case strings.HasPrefix(part, "driver for "):
			d.Driver = strings.TrimPrefix(part, "driver for ")
		}
	}
	d.Built, rest, _ = strings.Cut(rest, "; ")
	if before, after, blocked := strings.Cut(rest, "; no pre-launch"); blocked {
		rest, d.Launching = before, "no pre-launch"+after
	}
	d.Transports = rest
	return d
}

// addResultBits adds the bits of a parent to a run of the first programs, which had 32 on GPUs and 64 elsewhere.
func (f fields) addResultBits() error {
	var config, search fields
	var environment Environment
	if err := errors.Join(f.get("config", &config), config.get("search", &search),
		f.get("environment", &environment)); err != nil || f["result_bits"] != nil || environment.Engine == "" {
		return err
	}
	bits := 64
	if environment.Engine == "gpu" {
		bits = 32
	}
	err := f.put("result_bits", bits)
	if search != nil && search["result_bits"] == nil {
		err = errors.Join(err, search.put("result_bits", bits), config.put("search", search), f.put("config", config))
	}
	return err
}
