// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestEnvironmentOfRanksOfAProcess(t *testing.T) {
	const queues, loading = "CUDA_DEVICE_MAX_CONNECTIONS=", "CUDA_MODULE_LOADING="
	for _, c := range []struct {
		given []string
		ranks int
		want  string
	}{
		{[]string{"A=1"}, 1, "A=1"},
		{[]string{"A=1"}, 2, "A=1 " + queues + "32 " + loading + "EAGER"},
		{[]string{queues + "4", loading + "LAZY"}, 12, queues + "4 " + loading + "LAZY"},
	} {
		expect.Equal(t, strings.Join(gpuEnvironment(c.given, c.ranks), " "), c.want, c.ranks, "ranks", c.given)
	}
}
