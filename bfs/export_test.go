package bfs

// TiersFrom and AsksFrom let tests have small graphs go in tiers, and have ranks ask.
var TiersFrom, AsksFrom = &tiersFrom, &asksFrom

// LeastTold lets tests have ranks ask for all that they need.
var LeastTold = &leastTold

// GatherRoom and PushRoom let tests have small levels exchanged in several rounds.
var GatherRoom, PushRoom = &gatherRoom, &pushRoom

// PairsInTiers lets tests have none go in tiers.
var PairsInTiers = &pairsInTiers
