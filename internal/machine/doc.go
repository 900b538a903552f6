// Package machine tells what the host offers: processors, memory, free space on disk, names. It reads
// Linux's /proc and control groups; elsewhere unknown figures are zero.
package machine
