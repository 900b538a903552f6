//go:build race

package sssp

func init() { underRaceDetector = true }
