package main

import (
	"fmt"
	"strconv"
)

// asReferenceCode returns an error that names the flags of "g500 run" if args are a scale and perhaps an edge factor,
// as the Graph500 reference code takes them; else nil.
func asReferenceCode(args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return nil
	}
	flags := ""
	for i, arg := range args {
		if n, err := strconv.Atoi(arg); err != nil || n < 0 {
			return nil
		}
		flags += " " + []string{"--scale", "--edgefactor"}[i] + " " + arg
	}
	return fmt.Errorf("scale and edge factor are flags here: g500 run%s", flags)
}
