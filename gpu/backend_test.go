//go:build cuda && cgo

package gpu

import (
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/gpu/device"
)

// options are the defaults of a run.
func options() Options { return Options{"auto", device.AutoTransport, "auto", 64, bfs.DefaultPolicy()} }

func TestBackendRefusesOtherLengths(t *testing.T) {
	o := options()
	o.ResultBits = 48
	err := comm.Loopback(1, func(host comm.Transport) error {
		_, err := NewBackend(host, o)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "gpu: a parent has 32 or 64 bits, not 48") {
		t.Errorf("48 bits give %v", err)
	}
}

func TestBackendRefusesAPolicy(t *testing.T) {
	o := options()
	o.Policy.Beta = 0
	err := comm.Loopback(1, func(host comm.Transport) error {
		_, err := NewBackend(host, o)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "gpu: the policy's beta = 0: it must be from 1") {
		t.Errorf("a policy that divides by 0 gives %v", err)
	}
}
