package bfs

// TiersFrom and AsksFrom let tests have small graphs go in tiers, and have ranks ask.
var TiersFrom, AsksFrom = &tiersFrom, &asksFrom

// LeastTold lets tests have ranks ask for all that they need.
var LeastTold = &leastTold

// PairsInTiers lets tests have none go in tiers.
var PairsInTiers = &pairsInTiers
