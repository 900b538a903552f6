// The parts of strategies.
#pragma once

namespace g500::lab {

// Shape is the set of kernels of a level, and the queues between them.
enum Shape {
	kExpandContract,   // vertices in, neighbours filtered at once, vertices out
	kContractExpand,   // edges in, filtered, the edges of new vertices out
	kTwoPhase,         // the same in two kernels, with a queue of vertices between them
	kHybrid,           // kContractExpand for small queues, kTwoPhase for large ones
	kDeviceSearch,     // chunks of edges; a search in a prefix sum finds their rows
	kDeferredClasses,  // vertices in, vertices out; another kernel sorts them into classes
	kImmediateClasses, // classes in, classes out
	kTopology,         // all vertices, without a queue
	kStatusQueue,      // classes, made from the status of all vertices between levels
	kPartitioned,      // kTwoPhase on several GPUs, with bins of edges
	kIsolated,         // no search: a kernel on the frontier of each level
	kShapes,
};

enum Gather { kSerial, kByWarp, kByBlock, kByScan, kByGroup, kByWarpScan, kDirect, kGathers };
enum LongRows { kCompete, kList, kLongRows };
enum Supports { kSet, kByTable, kSupports };
// kMask tests the mask, then the label. kMaskAlone tests only the mask. kSwap is an atomic compare-and-swap, which lets
// no duplicate pass.
enum LookupKind { kLabel, kMask, kSwap, kMaskAlone, kLookups };
enum Cull { kNoCull, kWarpCull, kHistoryCull, kBothCulls, kCulls };
enum Loop { kOnHost, kOnDevice, kByTailLaunches, kLoops };
enum Direction { kTopDown, kByAlpha, kByGamma, kDirections };
enum Grouping { kFixed, kByDegree, kByFrontier, kGroupings };
enum Switching { kBlocked, kInterleaved, kSwitchings };
enum ClassKernels { kFused, kConcurrent, kClassKernels };
enum Refilling { kFilter, kRescan, kRefillings };
enum Isolate { kGatherAlone, kLookupAlone, kSeparate, kFusedKernel, kIsolates };
enum StatusOf { kWords, kBytes, kStatuses };
enum Walk { kByPieces, kByLinks, kWalks };
enum Output { kDistance, kParent, kOutputs };

} // namespace g500::lab
