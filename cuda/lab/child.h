// SPDX-License-Identifier: Apache-2.0

// What the requests of a child process have in common (child.cc): the pipes, and the graph.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "lab/lab.h"

namespace g500::child {

inline FILE *requests, *answers;

// Graph is a graph in host memory.
struct Graph {
	std::vector<uint64_t> offsets;
	std::vector<uint32_t> columns; // empty if the device has them
	uint64_t edges = 0;
	int symmetric = 0;

	uint32_t vertices() const { return (uint32_t)offsets.size() - 1; }
	g500_lab_graph rows() const { return {vertices(), edges, offsets.data(), columns.data(), symmetric}; }
};

inline Graph graph;

inline void answer(const std::string &members) {
	fprintf(answers, "{%s}\n", members.c_str());
	fflush(answers);
}

inline std::string number(const char *name, uint64_t value) {
	return '"' + std::string(name) + "\":" + std::to_string(value);
}

// Returns a time, 0 in the emulator, whose times mean nothing.
inline std::string seconds(const char *name, uint64_t nanoseconds) {
#ifdef G500_EMULATED
	nanoseconds = 0;
#endif
	char value[32];
	snprintf(value, sizeof value, "%.9f", (double)nanoseconds / 1e9);
	return '"' + std::string(name) + "\":" + value;
}

inline std::string truth(const char *name, bool value) {
	return '"' + std::string(name) + (value ? "\":true" : "\":false");
}

// Answers with a text, in which quotes and other characters that JSON escapes become spaces.
inline void answer_text(const char *member, std::string text) {
	for (char &c : text)
		if (c == '"' || c == '\\' || (unsigned char)c < ' ') c = ' ';
	answer('"' + std::string(member) + "\":\"" + text + '"');
}

// Reason is the text of an error of CUDA.
struct Reason {
	int code;
	const char *text;
};

constexpr Reason kNoMemory{cudaErrorMemoryAllocation, "the GPU lacks memory for it"};

// Answers with an error of CUDA, none for 0: with a member that has the reason, or as a failure without one.
inline void answer_code(int code, const char *member = "", std::initializer_list<Reason> reasons = {}) {
	for (const Reason &r : reasons)
		if (r.code == code) return answer_text(member, r.text);
	if (!code) return answer("");
	answer_text("failure", "it failed with CUDA error " + std::to_string(code) + ": run it with compute-sanitizer");
}

template <typename T>
void read_array(std::vector<T> &array, size_t n) {
	array.resize(n);
	if (n && fread(array.data(), sizeof(T), n, requests) != n) exit(1);
}

template <typename T>
void send(const std::vector<T> &array) {
	fwrite(array.data(), sizeof(T), array.size(), answers);
	fflush(answers);
}

} // namespace g500::child
