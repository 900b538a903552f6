package collect

import (
	"testing"

	"g500/internal/expect"
)

func TestGTEPS(t *testing.T) {
	for teps, want := range map[float64]string{
		5.518e12: "5,518", 1e12: "1,000", 927.4e9: "927", 38.83e9: "38.8", 1e9: "1.00",
		366.2e6: "0.366", 1.234e15: "1,234,000",
		81e3: "0.0000810", 0: "0",
	} {
		expect.Equal(t, GTEPS(teps), want, teps)
	}
}
