package record

import (
	"testing"

	"g500/internal/expect"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		format func(float64) string
		x      float64
		want   string
	}{
		{FormatSeconds, 0.0147, "14.7 ms"}, {FormatSeconds, 0.0001, "100 us"}, {FormatSeconds, 0.00001, "10.0 us"},
		{FormatSeconds, 0.001, "1.00 ms"}, {FormatSeconds, 1, "1.00 s"}, {FormatSeconds, 0.0009996, "1.00 ms"},
		{FormatSeconds, 0.0009994, "999 us"}, {FormatSeconds, 59.96, "60.0 s"}, {FormatSeconds, 1234.5, "1234 s"},
		{FormatSeconds, 3.2e-9, "3.20 ns"}, {FormatSeconds, 5e-12, "0.00500 ns"}, {FormatSeconds, 0, "0.00 s"},
		{FormatBytes, 0, "0.00 B"}, {FormatBytes, 1, "1.00 B"}, {FormatBytes, 135e6, "135 MB"},
		{FormatBytes, 3.35e12, "3.35 TB"}, {FormatBytes, 999.9e9, "1.00 TB"},
		{FormatTEPS, 1.14e9, "1.14 GTEPS"}, {FormatTEPS, 116.006e6, "116 MTEPS"}, {FormatTEPS, 999.7e6, "1.00 GTEPS"},
		{FormatTEPS, 814320, "814 kTEPS"}, {FormatTEPS, 12, "12.0 TEPS"}, {FormatTEPS, 0.5, "0.500 TEPS"},
		{FormatTEPS, 3.122e12, "3.12 TTEPS"}, {FormatTEPS, 1.98e14, "198 TTEPS"}, {FormatTEPS, 0, "0.00 TEPS"},
	} {
		expect.Equal(t, c.format(c.x), c.want, c.x)
	}
}
