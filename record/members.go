// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Members returns the members of a run's JSON, without searches and other kernels, by their path, such as
// config.search.engine or kernel.statistics.teps.median. A list is JSON. Members that are null are left out.
func (r *Run) Members(k Kernel) (map[string]string, error) {
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		return nil, err
	}
	run, err := decoded(text.Bytes())
	if err != nil {
		return nil, err
	}
	kernels, _ := run["kernels"].([]any)
	delete(run, "kernels")
	members := map[string]string{}
	for _, of := range kernels {
		if of, is := of.(object); is && of["kernel"] == string(k) {
			delete(of, "searches")
			run["kernel"] = of
		}
	}
	return members, flatten("", run, members)
}

// flatten adds a value to members under its path.
func flatten(path string, value any, members map[string]string) (err error) {
	switch value := value.(type) {
	case nil:
	case object:
		for name, member := range value {
			if path != "" {
				name = path + "." + name
			}
			if err = flatten(name, member, members); err != nil {
				return err
			}
		}
	case []any:
		var list []byte
		if list, err = json.Marshal(value); err == nil {
			members[path] = string(list)
		}
	default:
		members[path] = fmt.Sprint(value)
	}
	return err
}
