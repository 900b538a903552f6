package bfs

// TiersFrom lets tests have small graphs go in tiers.
var TiersFrom = &tiersFrom
