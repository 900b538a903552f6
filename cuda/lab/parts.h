// The parts that strategies are put together from, and their words.
#pragma once

namespace g500::lab {

// Shape is what the kernels of a level are, and what lies between them.
enum Shape {
	kExpandContract,   // vertices in, neighbours filtered on the spot, vertices out
	kContractExpand,   // edges in, filtered, their rows out as edges
	kTwoPhase,         // the same in two kernels, with a queue of vertices between
	kHybrid,           // kContractExpand for small queues, kTwoPhase for large ones
	kDeviceSearch,     // chunks of edges, whose rows are found by a search in a prefix sum
	kDeferredClasses,  // vertices in, vertices out, sorted into classes by a kernel between
	kImmediateClasses, // classes in, classes out
	kTopology,         // all vertices are looked at; no queue
	kStatusQueue,      // classes, made of all vertices' statuses between levels
	kPartitioned,      // kTwoPhase on several GPUs, with bins of edges between
	kShapes,
};

enum Gather { kSerial, kByWarp, kByBlock, kByScan, kByGroup, kByWarpScan, kGathers };
// kMask: the mask, and the label where it is not set. kMaskAlone: labels are written where there is none, and let pass
// what they may. kSwap: an atomic compare-and-swap, which lets no duplicate pass.
enum LookupKind { kLabel, kMask, kSwap, kMaskAlone, kLookups };
enum Cull { kNoCull, kWarpCull, kHistoryCull, kBothCulls, kCulls };
enum Loop { kOnHost, kOnDevice, kByTailLaunches, kLoops };
enum Direction { kTopDown, kByAlpha, kByGamma, kDirections };
enum Grouping { kFixed, kByDegree, kByFrontier, kGroupings };
enum Switching { kBlocked, kInterleaved, kSwitchings };
enum ClassKernels { kFused, kConcurrent, kClassKernels };
enum Refilling { kFilter, kRescan, kRefillings };
enum Output { kDistance, kParent, kOutputs };

} // namespace g500::lab
