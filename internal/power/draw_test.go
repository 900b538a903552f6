// SPDX-License-Identifier: Apache-2.0

package power_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"g500/comm/commtest"
	"g500/internal/expect"
	"g500/internal/power"
	"g500/internal/power/powertest"
)

// readings returns samples of a meter of 250 W with a period of updates, in synthetic time. Each reading takes three
// delays.
func readings(t *testing.T, update, period, length time.Duration, delay func() time.Duration) power.Record {
	t.Helper()
	r := power.Record{Period: period}
	synctest.Test(t, func(t *testing.T) {
		fake, start := powertest.Fake{Watts: 250, Update: update}, time.Now()
		for at := time.Duration(0); at <= length; at += period {
			time.Sleep(at - time.Since(start))
			time.Sleep(delay())
			from := time.Since(start)
			time.Sleep(delay())
			value := expect.Value(fake.Read())(t)
			time.Sleep(delay())
			r.Samples = append(r.Samples, power.Sample{From: from, To: time.Since(start), Value: value})
		}
	})
	return r
}

func noDelay() time.Duration { return 0 }

// The error of the result is at most its Doubt, for all periods of updates and samples, and for late readings.
func TestDrawIsWithinItsError(t *testing.T) {
	draws := rand.New(rand.NewPCG(1, 2))
	late := func() time.Duration { return time.Duration(draws.Float64() * float64(3*time.Millisecond)) }
	const ms = time.Millisecond
	for _, c := range []struct {
		meaning        string
		update, period time.Duration
		delay          func() time.Duration
	}{
		{"a GPU's counter", 100 * ms, 10 * ms, noDelay},
		{"a GPU's counter, other period", 23*ms + 417, 10 * ms, noDelay},
		{"a processor's counter, read less often than it changes", ms, 10 * ms, noDelay},
		{"equal periods", 10 * ms, 10 * ms, noDelay},
		{"late readings", 37 * ms, 10 * ms, late},
	} {
		d := expect.Value(readings(t, c.update, c.period, 10*time.Second, c.delay).Draw())(t)
		wrong := math.Abs(d.Watts-250) / 250
		expect.That(t, wrong <= d.Doubt+1e-9 && d.Doubt > 0 && d.Doubt <= 0.005,
			"%s: %.3f W, error %.4f, above the doubt %.4f", c.meaning, d.Watts, wrong, d.Doubt)
		expect.That(t, d.Window <= 10*time.Second+20*ms && d.Window >= 9*time.Second && d.Updates >= 90,
			"%s: %d updates in %v", c.meaning, d.Updates, d.Window)
	}
}

// There is no result for searches of a millisecond, which end before the counter changes, and the error has the reason.
func TestNoResultFromTooFewUpdates(t *testing.T) {
	for _, c := range []struct {
		meaning string
		record  power.Record
		want    string
	}{
		{"a search of a millisecond", readings(t, 100*time.Millisecond, time.Millisecond, time.Millisecond, noDelay),
			"changed 0 times in 2 readings"},
		{"a second of a slow counter", readings(t, 100*time.Millisecond, 10*time.Millisecond, time.Second, noDelay),
			"changed 10 times in 101 readings"},
		{"half a second of a quick one",
			readings(t, time.Millisecond, 10*time.Millisecond, 500*time.Millisecond, noDelay), "the error is up to 2.0%"},
		{"no readings", power.Record{}, "changed 0 times in 0 readings"},
	} {
		d, err := c.record.Draw()
		expect.Error(t, err, c.want, c.meaning)
		expect.Equal(t, d.Watts, 0, c.meaning)
	}
}

// A late reading at either end makes the time of the measurement uncertain.
func TestLateEndsOfAMeasurement(t *testing.T) {
	for _, late := range []int{1, 199} {
		r := readings(t, time.Millisecond, 10*time.Millisecond, 2*time.Second, noDelay)
		r.Samples = r.Samples[:200]
		expect.NoError(t, expect.Err(r.Draw()))
		r.Samples[late-1].From -= 100 * time.Millisecond
		expect.Error(t, expect.Err(r.Draw()), "the error is up to", "reading", late-1, "began 100 ms earlier")
	}
}

func TestCounterThatGoesBackwards(t *testing.T) {
	r := readings(t, 100*time.Millisecond, 10*time.Millisecond, 10*time.Second, noDelay)
	for i := range r.Samples {
		r.Samples[i].Value *= -1
	}
	expect.Error(t, expect.Err(r.Draw()), "the energy counter went backwards")
}

// sampled samples a fake meter, with synthetic time.
func sampled(t *testing.T, fake *powertest.Fake, length time.Duration) (r power.Record, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := power.Start(fake, 10*time.Millisecond, func() time.Duration { return time.Since(start) })
		time.Sleep(length)
		r, err = s.Stop()
	})
	return r, err
}

func TestSamplerKeepsItsPeriod(t *testing.T) {
	r, err := sampled(t, &powertest.Fake{Watts: 40, Update: 20 * time.Millisecond}, time.Second+time.Millisecond)
	expect.NoError(t, err)
	expect.Equal(t, len(r.Samples), 101, "samples with a period of 10 ms in 1 s")
	for i, s := range r.Samples {
		want := time.Duration(i) * 10 * time.Millisecond
		expect.Equal(t, []time.Duration{s.From, s.To}, []time.Duration{want, want}, "sample", i)
	}
	watts := expect.Value(r.Draw())(t).Watts
	expect.That(t, math.Abs(watts-40) <= 1e-9, "%g W, want 40", watts)
}

// panicking is a meter that panics.
type panicking struct{ powertest.Fake }

func (*panicking) Read() (float64, error) { panic(commtest.ErrPlanted) }

func TestPanicOfAReadingIsTheCallersOfStop(t *testing.T) {
	commtest.EndsByPanic(t, "panicking", func() {
		_, _ = power.Start(&panicking{}, time.Millisecond, func() time.Duration { return 0 }).Stop()
	})
}
