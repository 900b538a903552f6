package record

import (
	"cmp"
	"regexp"

	"g500/policy"
)

// OldCPUEngine is the name of engine cpu in older versions.
const OldCPUEngine = "hybrid"

// renamed has the present name of each key that JSON formats 1 and 2 name otherwise, after the key of its object, and
// the present text of each value that they write otherwise. Configuration files had the same keys.
var renamed = map[string]string{
	"search.sync":                          "kernel_times",
	"search.engine = " + OldCPUEngine:      "cpu",
	"machine.hosts":                        "emulate_nodes",
	"machine.carrier":                      "gpu_transport",
	"machine.tuples":                       "edge_memory",
	"environment.hosts":                    "nodes",
	"environment.engine = " + OldCPUEngine: "cpu",
	"machines.hosts":                       "nodes",
	"device.carriers":                      "gpu_transports",
	"device.launching":                     "no_prelaunch",
	"traffic.form":                         "payload",
	"traffic.form = questions":             "queries",
	"traffic.form = answers":               "replies",
	"traffic.carrier":                      "transport",
	"traffic.carrier = host":               "node",
	"trace.step = label order":             "result order",
	"trace.variant = pull-residual":        "pull-remaining",
	"meters.doubt":                         "relative_error",
}

func init() {
	for old, present := range policy.FormerKeys {
		renamed["policy."+old] = present
	}
}

// rename gives keys and values below a value their present names. The value has the key in its object, whose own key is
// parent. A list has the key of each of its items.
func rename(parent, key string, value any) any {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			value[i] = rename(parent, key, item)
		}
	case object:
		now := make(object, len(value))
		for name, item := range value {
			item = rename(key, name, item)
			if present, old := renamed[key+"."+name]; old {
				name = present
			}
			now[name] = item
		}
		return now
	case string:
		if present, old := renamed[parent+"."+key+" = "+value]; old {
			return present
		}
	}
	return value
}

var (
	oldSetting = regexp.MustCompile(`(?m)^(\s*(?:\w+\.)?)` +
		`(sync|hosts|carrier|tuples|segment_core|hub_core|residual_share)(\s*=)`)
	oldEngine = regexp.MustCompile(`(?m)^(\s*(?:search\.)?engine\s*=\s*)"` + OldCPUEngine + `"`)
)

// renameSettings gives settings and engines of a configuration in TOML their present names. Line numbers stay.
func renameSettings(text string) string {
	text = oldEngine.ReplaceAllString(text, `${1}"cpu"`)
	return oldSetting.ReplaceAllStringFunc(text, func(match string) string {
		part := oldSetting.FindStringSubmatch(match)
		old := part[2]
		return part[1] + cmp.Or(renamed["machine."+old], renamed["search."+old], renamed["policy."+old]) + part[3]
	})
}
