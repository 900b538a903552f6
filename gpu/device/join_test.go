//go:build cuda && cgo

package device_test

import (
	"bytes"
	"strings"
	"testing"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/gputest"
)

func TestTransportNames(t *testing.T) {
	d := gputest.Open(t)
	err := comm.Loopback(1, func(tr comm.Transport) error {
		_, err := gputest.Chosen("pigeon")(tr, d, 1)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), `no transport "pigeon"`) {
		t.Errorf("a transport that there is not gives %v", err)
	}
}

// Copies out of the order of the device's work would see old words.
func TestCopiesAreInOrder(t *testing.T) {
	d := gputest.Open(t)
	size := 64 << 20
	a, err := d.Alloc("a", int64(size))
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc("b", int64(size))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, size)
	for round := range byte(5) {
		want := bytes.Repeat([]byte{round + 1}, size)
		if err := cuda.Write(a.Memory, 0, want); err != nil {
			t.Fatal(err)
		}
		if err := d.Copy(b.Memory, a.Memory); err != nil {
			t.Fatal(err)
		}
		if err := cuda.Read(got, b.Memory, 0); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d: the copy is not what was written", round)
		}
	}
}
