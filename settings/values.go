// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a time, written as 90s or 2h30m in TOML and JSON; a file may have "" for 0.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// Seconds returns the time in seconds.
func (d Duration) Seconds() float64 { return time.Duration(d).Seconds() }

// MarshalText writes the time.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the time.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(cmp.Or(string(text), "0s"))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it as 90s or 2h30m", text)
	}
	*d = Duration(parsed)
	return nil
}

// Seeds are the two seeds of the generator. In TOML a seed above 2^63-1, where TOML's integers end, is in quotes.
type Seeds [2]uint64

func (s Seeds) String() string { return fmt.Sprintf("%d,%d", s[0], s[1]) }

// Type describes the value of the flag.
func (s Seeds) Type() string { return "A,B" }

// Set reads the seeds as String writes them.
func (s *Seeds) Set(text string) error {
	a, b, ok := strings.Cut(text, ",")
	first, err1 := strconv.ParseUint(strings.TrimSpace(a), 10, 64)
	second, err2 := strconv.ParseUint(strings.TrimSpace(b), 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return errors.New("two numbers from 0 to 2^64-1 are needed, as in 2,3")
	}
	*s = Seeds{first, second}
	return nil
}

var errSeeds = errors.New("graph.seeds must be two whole numbers from 0 to 2^64-1, as in seeds = [2, 3], " +
	"in quotes if above 2^63-1")

// UnmarshalTOML sets the seeds. It refuses all values except two integers in range.
func (s *Seeds) UnmarshalTOML(value any) error {
	list, _ := value.([]any)
	var texts []string
	for _, item := range list {
		texts = append(texts, fmt.Sprint(item))
	}
	if len(texts) != len(s) || s.Set(strings.Join(texts, ",")) != nil {
		return errSeeds
	}
	return nil
}

// MarshalTOML writes the seeds as UnmarshalTOML reads them.
func (s Seeds) MarshalTOML() ([]byte, error) {
	text := func(seed uint64) string {
		if seed > math.MaxInt64 {
			return fmt.Sprintf("%q", strconv.FormatUint(seed, 10))
		}
		return strconv.FormatUint(seed, 10)
	}
	return []byte("[" + text(s[0]) + ", " + text(s[1]) + "]"), nil
}
