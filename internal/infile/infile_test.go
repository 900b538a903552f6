package infile

import (
	"context"
	"errors"
	"hash/crc64"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"g500/comm/commtest"
)

func of(text string) (f Fingerprint) {
	_, _ = f.Write([]byte(text))
	return f
}

// The checksum of "123456789" is the published check value of CRC-64/XZ.
func TestFingerprintIsCRC64XZ(t *testing.T) {
	if got := of("123456789"); got.Hex() != "995dc9bbdf1939fa" || got.Bytes != 9 {
		t.Errorf("%v", got)
	}
	table := crc64.MakeTable(crc64.ECMA)
	text := []byte(strings.Repeat("0 1\n17 4711\n", 9999))
	for _, n := range []int{0, 1, 8191, 8192, 8207, len(text)} {
		if got, want := of(string(text[:n])).CRC64, crc64.Checksum(text[:n], table); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	text := make([]byte, 1<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var f Fingerprint
		_, _ = f.Write(text)
	}
}

// The fingerprints of two parts give the fingerprint of the file.
func TestPartsGiveTheFingerprintOfTheWhole(t *testing.T) {
	text := strings.Repeat("0 1\n17 4711\n", 99)
	for _, cut := range []int{0, 1, 8, 100, len(text) - 1, len(text)} {
		if got := of(text[:cut]).Then(of(text[cut:])); got != of(text) {
			t.Errorf("cut at %d: %v, want %v", cut, got, of(text))
		}
	}
	if of("ab").Then(of("c")) == of("ac").Then(of("b")) {
		t.Error("the order of bytes does not matter")
	}
}

func TestOtherThanRegularFilesAreNamed(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{dir: "is a directory", pipe: "is a pipe", os.DevNull: "is a device",
		filepath.Join(dir, "none"): "no such file"} {
		if _, err := Regular(path, "the tree"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	socket := filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, want := range map[string]string{dir: "is a directory: name a file in it", socket: "is a socket: name a file",
		"/dev/zero": "/dev/zero is a device: name a file or a pipe"} {
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// A pipe is read to its end, and its bytes count in the fingerprint.
func TestPipesAreRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	text := strings.Repeat("0123456789", 3*pumpBytes/10)
	go func() { _ = os.WriteFile(pipe, []byte(text), 0) }()
	f, err := Open(t.Context(), pipe)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(f)
	if err != nil || string(got) != text || f.Fingerprint != of(text) || !f.Pipe {
		t.Errorf("%d bytes, %v, %v", len(got), f.Fingerprint, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// An interruption ends the wait for a pipe without a writer and for a pipe without bytes.
func TestInterruptionEndsTheWaitForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := Open(ctx, pipe); !errors.Is(err, stop) {
		t.Errorf("without a writer: %v", err)
	}
	both, err := os.OpenFile(pipe, os.O_RDWR, 0) // a writer that never writes
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	ctx, cancel = context.WithCancelCause(t.Context())
	f, err := Open(ctx, pipe)
	if err != nil {
		t.Fatal(err)
	}
	cancel(stop)
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, stop) {
		t.Errorf("without bytes: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestStandardInputIsReadOnce(t *testing.T) {
	before := os.Stdin
	t.Cleanup(func() { os.Stdin = before })
	var err error
	if os.Stdin, err = os.Open(os.DevNull); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), "/dev/stdin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), "/dev/fd/0"); err == nil || !strings.Contains(err.Error(), "only once: save it to") {
		t.Error(err)
	}
	_ = f.Close()
	if _, err := Open(t.Context(), "/dev/stdin"); err == nil || !strings.Contains(err.Error(), "only once: save it to") {
		t.Error(err)
	}
}

// panicking is a reader that panics.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic(commtest.Planted) }

func TestPanicOfAReadIsTheCallers(t *testing.T) {
	commtest.EndsByPanic(t, "panicking", func() {
		n, err := pumped(t.Context(), panicking{}).Read(make([]byte, 1))
		t.Errorf("Read returns %d, %v", n, err)
	})
}
