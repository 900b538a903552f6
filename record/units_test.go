package record

import "testing"

func TestFormatSeconds(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0.0147, "14.7 ms"}, {0.0001, "100 us"}, {0.00001, "10.0 us"}, {0.001, "1.00 ms"}, {1, "1.00 s"},
		{0.0009996, "1.00 ms"}, {0.0009994, "999 us"}, {59.96, "60.0 s"}, {1234.5, "1234 s"},
		{3.2e-9, "3.20 ns"}, {5e-12, "0.00500 ns"}, {0, "0.00 s"},
	} {
		if got := FormatSeconds(c.x); got != c.want {
			t.Errorf("%g s: got %q, want %q", c.x, got, c.want)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{0, "0.00 B"}, {1, "1.00 B"}, {135e6, "135 MB"}, {3.35e12, "3.35 TB"}, {999.9e9, "1.00 TB"}} {
		if got := FormatBytes(c.x); got != c.want {
			t.Errorf("%g bytes: got %q, want %q", c.x, got, c.want)
		}
	}
}

func TestFormatTEPS(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{1.14e9, "1.14 GTEPS"}, {116.006e6, "116 MTEPS"}, {999.7e6, "1.00 GTEPS"}, {814320, "814 kTEPS"},
		{12, "12.0 TEPS"}, {0.5, "0.500 TEPS"}, {3.122e12, "3.12 TTEPS"}, {1.98e14, "198 TTEPS"}, {0, "0.00 TEPS"},
	} {
		if got := FormatTEPS(c.x); got != c.want {
			t.Errorf("%g TEPS: got %q, want %q", c.x, got, c.want)
		}
	}
}
