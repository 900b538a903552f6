// Package machine tells what the host offers and what it is made of: processors, memory, free space on disk, devices,
// names. It reads Linux's /proc, /sys and control groups; elsewhere unknown figures are zero.
package machine
