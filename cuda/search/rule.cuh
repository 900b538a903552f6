// The numbers by which the direction and the form of a level are chosen, the same for every search key.
// Source: Beamer et al. (SC 2012, section 5) for the rule of directions; measured on H200s.
#pragma once

#include "search/search.cuh"

namespace g500 {

constexpr u64 kAlpha = 24;          // to bottom-up when the frontier has more than 1/kAlpha of the edges not yet looked at
constexpr u64 kAlphaShared = 300;   // the same where pairs go through memory of the host
constexpr u64 kAlphaCarried = 1000; // the same where hosts carry pairs: more of them than this would weigh more than bitmaps
constexpr u64 kBeta = 64;           // back when the frontier has fewer than 1/kBeta of the vertices
constexpr u64 kFewEdges = 200000;   // below this top-down is cheap whatever the rule says
constexpr u64 kWholeEdges = 1 << 24; // frontiers with at most so many edges, or as many as a rank has vertices, each rank searches as a whole
constexpr u64 kMarkVertices = 1 << 24; // on one rank with fewer vertices no level marks: what a queue writes stays in the cache
constexpr u64 kMarkShare = 4;       // on several, a top-down level marks with more edges than 1/kMarkShare of the vertices,
constexpr u64 kMarkEdges = 4000000; // and than this for each rank
constexpr u64 kHighShare = 4;       // where a level marks, 1/kHighShare of the vertices, those with the longest rows, get a parent,
constexpr u64 kMostHigh = 1 << 23;  // but no more: what is written at random places for them stays in the cache
constexpr u64 kOwnShare = 8;        // the same on several ranks, of a rank's own vertices
constexpr u64 kNotedShare = 64;     // and of each other rank's
constexpr u64 kListsShare = 4;      // a sweep after one that has found more than 1/kListsShare of the vertices lists the rest
constexpr u64 kRestShare = 16;      // only the rest is looked for when it is at most 1/kRestShare of the vertices
constexpr u32 kCheapSweep = 6000000; // with fewer vertices a sweep costs less than listing the frontier for top-down
constexpr u32 kStayShare = 4;       // the blocks on every so many multiprocessors go on when the last pass begins
constexpr u64 kShortQueue = 1 << 10; // queues up to this may be searched top-down however small the graph

} // namespace g500
