// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux

package power

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"g500/internal/expect"
)

// drivers replaces the two libraries of NVIDIA's driver, with one GPU.
const drivers = `
int cuCtxGetDevice(int *number) { *number = 3; return NO_CONTEXT; }
int cuDeviceGetPCIBusId(char *id, int bytes, int number) {
	static const char name[] = "0000:1B:00.0";
	for (int i = 0; i < (int)sizeof name && i < bytes; i++) id[i] = name[i];
	return number != 3;
}
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **device) {
	static int gpu;
	*device = &gpu;
	return id[5] != '1' || id[6] != 'B';
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj) {
	static int n;
	*mj = 70000000123ULL + 500 * n++;
	return NO_COUNTER;
}
int nvmlDeviceGetUtilizationRates(void *device, unsigned *rates) {
	static int n;
	rates[0] = n++ < 1 ? FIRST : LATER;
	return 0;
}
`

// useFake compiles the libraries, with some failing calls, and loads them instead of the real ones.
func useFake(t *testing.T, defines ...string) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libdriver.so")
	args := append(strings.Fields("-shared -fPIC -x c -o "+library+" -"), "-DNO_CONTEXT=0",
		"-DNO_COUNTER=0", "-DFIRST=80", "-DLATER=0")
	for _, d := range defines {
		args = append(args, "-U"+strings.SplitN(d, "=", 2)[0], "-D"+d)
	}
	compile := exec.Command(cmp.Or(os.Getenv("CC"), "cc"), args...)
	compile.Stdin = strings.NewReader(drivers)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Skipf("no C compiler for the fake libraries: %v\n%s", err, out)
	}
	real, realDriver := nvmlLibrary, driverLibrary
	nvmlLibrary, driverLibrary = library, library
	t.Cleanup(func() { nvmlLibrary, driverLibrary = real, realDriver })
}

// Only a GPU that is busy in all looks is in use by other programs.
func TestBusy(t *testing.T) {
	for defines, want := range map[string]float64{
		"": 0, "LATER=37": 0.37, "FIRST=37 LATER=80": 0.37, "NO_CONTEXT=201": 0} {
		t.Run(defines, func(t *testing.T) {
			useFake(t, strings.Fields(defines)...)
			expect.Equal(t, busy(0), want)
		})
	}
}

func TestNVMLCounter(t *testing.T) {
	useFake(t)
	m := expect.Value(NVML())(t)
	first, second := joules(t, m), joules(t, m)
	if first < 70000000.123 || second-first < 0.4999 || second-first > 0.5001 {
		t.Errorf("%.3f J, then %.3f J; want steps of half a joule from 70000000.123 J on", first, second)
	}
	if m.Source() != "NVML, energy counter of the GPU at 0000:1b:00.0" ||
		!strings.HasSuffix(m.Identity(), " 0000:1b:00.0") {
		t.Errorf("it describes itself as %q, %q", m.Identity(), m.Source())
	}
	expect.NoError(t, m.Close())
}

func TestMissingNVML(t *testing.T) {
	for _, c := range []struct {
		meaning string
		defines []string
		want    string
	}{
		{"a thread without a GPU", []string{"NO_CONTEXT=201"}, "the thread has no context"},
		{"a GPU without a counter", []string{"NO_COUNTER=3"}, "this GPU does not report its energy"},
	} {
		useFake(t, c.defines...)
		expect.Error(t, expect.Err(NVML()), c.want, c.meaning)
	}
	useFake(t)
	nvmlLibrary = "/nowhere/libnvidia-ml.so.1"
	expect.Error(t, expect.Err(NVML()), "the library cannot be loaded", "no library")
	driverLibrary = "/nowhere/libcuda.so.1"
	expect.Error(t, expect.Err(NVML()), "no GPU has a meter", "no driver")
}
