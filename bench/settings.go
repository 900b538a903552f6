package bench

import (
	"fmt"
	"reflect"
)

// Setting is one setting of a configuration.
type Setting struct {
	Key   string // as in the file: table.name
	Value string
}

// Settings lists all settings of the configuration, in the order of the file.
func (c Config) Settings() (all []Setting) {
	tables := reflect.ValueOf(c)
	for i := range tables.NumField() {
		table := tables.Type().Field(i)
		for j := range table.Type.NumField() {
			all = append(all, Setting{
				table.Tag.Get("toml") + "." + table.Type.Field(j).Tag.Get("toml"),
				fmt.Sprint(tables.Field(i).Field(j).Interface()),
			})
		}
	}
	return all
}

// differences lists the settings that two configurations have otherwise: "graph.scale was 14 and is 15".
func differences(earlier, now Config) (all []string) {
	was := earlier.Settings()
	for i, is := range now.Settings() {
		if was[i] != is {
			all = append(all, fmt.Sprintf("%s was %s and is %s", is.Key, was[i].Value, is.Value))
		}
	}
	return all
}
