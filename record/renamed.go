package record

import (
	"encoding/json"
	"regexp"
)

// newNames are the present names of settings, by those that files and stored runs of older versions have.
var newNames = map[string]string{
	"sync": "kernel_times", "hosts": "emulate_nodes", "carrier": "gpu_transport", "tuples": "edge_memory",
}

// oldSetting matches an old name at the beginning of a line of TOML.
var oldSetting = regexp.MustCompile(`(?m)^(\s*(?:\w+\.)?)(sync|hosts|carrier|tuples)(\s*=)`)

// OldCPUEngine is the name of engine cpu in older versions.
const OldCPUEngine = "hybrid"

// oldEngine matches the old name of engine cpu in TOML and in JSON. No string of JSON matches, because its quotes are
// escaped.
var oldEngine = regexp.MustCompile(`(\bengine"?\s*[=:]\s*")` + OldCPUEngine + `"`)

// renameEngine returns TOML or JSON with the present name of engine cpu.
func renameEngine(text []byte) []byte { return oldEngine.ReplaceAll(text, []byte(`${1}cpu"`)) }

// renameSettings returns a configuration in TOML with the present names of settings and engines, on the same lines.
func renameSettings(text string) string {
	text = string(renameEngine([]byte(text)))
	return oldSetting.ReplaceAllStringFunc(text, func(match string) string {
		part := oldSetting.FindStringSubmatch(match)
		return part[1] + newNames[part[2]] + part[3]
	})
}

// UnmarshalJSON reads a stored configuration. Settings of older versions get their present names. Settings that the
// text lacks get their defaults, and settings that Config lacks are ignored.
func (c *Config) UnmarshalJSON(text []byte) error {
	var tables map[string]fields
	if err := json.Unmarshal(text, &tables); err != nil {
		return err
	}
	for _, settings := range tables {
		for old, present := range newNames {
			settings.move(old, settings, present)
		}
	}
	text, err := json.Marshal(tables)
	if err != nil {
		return err
	}
	type withoutMethod Config
	*c = DefaultConfig()
	return json.Unmarshal(text, (*withoutMethod)(c))
}
