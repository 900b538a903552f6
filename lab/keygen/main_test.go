// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"g500/internal/expect"
)

func TestHeaderIsCurrent(t *testing.T) {
	expect.Equal(t, expect.Read(t, "../../cuda/lab/keys.h"), string(header()), "is not made by go generate ./lab")
}
