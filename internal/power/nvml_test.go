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

// driver replaces the library of NVIDIA's driver, with one GPU.
const driver = `
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

// card is the bus id of this GPU.
const card = "0000:1B:00.0"

// useFake compiles the library, with some failing calls, and loads it instead of the real one.
func useFake(t *testing.T, defines ...string) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libdriver.so")
	args := append(strings.Fields("-shared -fPIC -x c -o "+library+" -"), "-DNO_COUNTER=0", "-DFIRST=80", "-DLATER=0")
	for _, d := range defines {
		args = append(args, "-U"+strings.SplitN(d, "=", 2)[0], "-D"+d)
	}
	compile := exec.Command(cmp.Or(os.Getenv("CC"), "cc"), args...)
	compile.Stdin = strings.NewReader(driver)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Skipf("no C compiler for the fake library: %v\n%s", err, out)
	}
	expect.Set(t, &nvmlLibrary, library)
}

// Only a GPU that is busy in all looks is in use by other programs.
func TestBusy(t *testing.T) {
	for defines, want := range map[string]float64{
		"": 0, "LATER=37": 0.37, "FIRST=37 LATER=80": 0.37} {
		t.Run(defines, func(t *testing.T) {
			useFake(t, strings.Fields(defines)...)
			expect.Equal(t, busy(card, 0), want)
		})
	}
}

func TestNVMLCounter(t *testing.T) {
	useFake(t)
	m := expect.Value(NVML(card))(t)
	first, second := joules(t, m), joules(t, m)
	expect.That(t, first >= 70000000.123 && second-first >= 0.4999 && second-first <= 0.5001,
		"%.3f J, then %.3f J; want steps of half a joule from 70000000.123 J on", first, second)
	expect.That(t, m.Source() == "NVML, energy counter of the GPU at 0000:1b:00.0" &&
		strings.HasSuffix(m.Identity(), " 0000:1b:00.0"), "it describes itself as %q, %q", m.Identity(), m.Source())
	expect.NoError(t, m.Close())
}

func TestMissingNVML(t *testing.T) {
	useFake(t, "NO_COUNTER=3")
	expect.Error(t, expect.Err(NVML(card)), "this GPU does not report its energy", "a GPU without a counter")
	expect.Error(t, expect.Err(NVML("0000:00:00.0")), "NVML cannot open the GPU: error 1", "no GPU")
	nvmlLibrary = "/nowhere/libnvidia-ml.so.1"
	expect.Error(t, expect.Err(NVML(card)), "the library cannot be loaded", "no library")
}
