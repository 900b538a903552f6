package bench

import (
	"slices"
	"testing"

	"g500/comm"
)

// advances keeps the progress that each step reports.
type advances struct {
	silent
	step    string
	reports map[string][]int64
}

func (a *advances) Step(name string, _ int64) { a.step = name }
func (a *advances) Advance(done int64)        { a.reports[a.step] = append(a.reports[a.step], done) }

// Kernel 1 and the preparation of validation take longest. Both report their progress, with a trace or without.
func TestLongStepsTellHowFarTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	backend := onCPU()
	for name, backend := range map[string]Backend{"without a trace": backend, "with a trace": backend.TimingSteps()} {
		c := config(16)
		c.Search.Keys = 1
		watch := &advances{reports: map[string][]int64{}}
		if err := comm.Loopback(1, func(tr comm.Transport) error {
			_, err := Run(t.Context(), tr, Setup{Config: c, Backend: backend, Watch: watch})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got, want := watch.reports["kernel 1"], []int64{25, 30, 55, 90, 100}; !slices.Equal(got, want) {
			t.Errorf("%s, kernel 1 tells %v percent, want %v", name, got, want)
		}
		if got, want := watch.reports["preparing validation"], []int64{50}; !slices.Equal(got, want) {
			t.Errorf("%s, the preparation of validation tells %v percent, want %v", name, got, want)
		}
	}
}
