// Package commtest holds every comm.Transport to what its door promises. Run is the suite; an implementation's
// test calls it with its launcher. The suite is itself tested on transports with one planted defect each.
package commtest
