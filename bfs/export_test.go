package bfs

// TiersFrom lets tests have small graphs go in tiers.
var TiersFrom = &tiersFrom

// PairsInTiers lets tests have none go in tiers.
var PairsInTiers = &pairsInTiers
