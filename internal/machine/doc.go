// SPDX-License-Identifier: Apache-2.0

// Package machine describes the node: its processors, memory, free space on disk, devices and names. It reads Linux's
// /proc, /sys and control groups; on other systems, and if unknown, numbers are zero.
package machine
