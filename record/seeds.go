package record

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Seeds are the two seeds of the generator. In TOML a seed above 2^63-1, where TOML's integers end, is in quotes.
type Seeds [2]uint64

var errSeeds = errors.New("graph.seeds must be two whole numbers from 0 to 2^64-1, as in seeds = [2, 3], " +
	"in quotes if above 2^63-1")

// UnmarshalTOML sets the seeds. It refuses all values except two integers in range.
func (s *Seeds) UnmarshalTOML(value any) error {
	list, ok := value.([]any)
	if !ok || len(list) != len(s) {
		return errSeeds
	}
	var read Seeds
	for i, item := range list {
		switch n := item.(type) {
		case int64:
			if n < 0 {
				return errSeeds
			}
			read[i] = uint64(n)
		case string:
			large, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				return errSeeds
			}
			read[i] = large
		default:
			return errSeeds
		}
	}
	*s = read
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
