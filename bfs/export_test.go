package bfs

// InForce are the bounds by which this process chooses. Tests let small graphs go in tiers, and have ranks ask.
var InForce = &bounds
