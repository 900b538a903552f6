// The forms in which the device functions of kernel 3 are compiled.
#pragma once

namespace g500::sssp {

// One rank; peers, which change each other's memory (owner.cuh); ranks that are not all peers (far.cuh).
struct OneRank {
	static constexpr bool kPeers = false, kFar = false;
};
struct PeerRanks {
	static constexpr bool kPeers = true, kFar = false;
};
struct FarRanks {
	static constexpr bool kPeers = false, kFar = true;
};

} // namespace g500::sssp
