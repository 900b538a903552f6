package bfs

// CurrentBounds are the bounds of this process, which tests change.
var CurrentBounds = &bounds
