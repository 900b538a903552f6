package bench

import (
	"context"
	"strings"
	"testing"
)

// A run that waits for each kernel says so in its report, because its times are not to be compared with others.
func TestSyncTimesKernelsAndIsNoted(t *testing.T) {
	for _, sync := range []bool{false, true} {
		on := 0
		setup := hybrid(config(6))
		setup.Config.Search.Sync = sync
		setup.Kit.TimeKernels = func() { on++ }
		got, err := run(context.Background(), 1, setup)
		if err != nil {
			t.Fatal(err)
		}
		noted := strings.Contains(strings.Join(got.Notes, "\n"), "search.sync")
		if noted != sync || (on == 1) != sync {
			t.Errorf("sync %v: turned on %d times, noted: %v", sync, on, noted)
		}
	}
}
