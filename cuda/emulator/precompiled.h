// SPDX-License-Identifier: Apache-2.0

// Headers of most sources. All sources are compiled with it, and it is compiled once (scripts/test-emulated.sh).
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda_runtime.h"
