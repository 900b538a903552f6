package bfs

// InForce are the bounds by which this process chooses. Tests let small graphs use tiers and queries.
var InForce = &bounds
