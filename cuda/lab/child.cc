// SPDX-License-Identifier: Apache-2.0

// The program of a child process of g500-lab (lab/child.go), whose crash must not end a study: it searches by a plugin
// or by strategies, colours, and changes graphs in pages, on a GPU or in the emulator. Requests come from standard
// input, one per line; standard output gets a line of JSON for each. Other output goes to standard error.
//
//   graph VERTICES EDGES SYMMETRIC   followed by the bytes of the offsets and of the columns
//   plugin PATH                      searches follow by this plugin; the answer has its text on work before the clock
//   strategy KEY=VALUE ...           searches follow by a strategy
//   color ROUNDS METHOD              colourings follow, in at most this many rounds, 0 for no limit, the rest on a core
//   run ROOT                         searches, or colours
//   result                           of the last run; the answer is followed by a word per vertex
//   pages ...                        a graph in pages: see child_pages.h
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "color/color.h"
#include "common/check.cuh"
#include "lab/child_pages.h"
#include "lab/plugin/g500_plugin.h"

namespace {

using namespace g500::child;
using g500::Array;
using Clock = std::chrono::steady_clock;

// Plugin is a library, with the graph and the result on the device.
struct Plugin {
	decltype(g500_plugin_search) *search = nullptr;
	Array<uint64_t> offsets;
	Array<uint32_t> columns, result;
	int meaning = 0; // of the result
};

Plugin plugin;
g500_lab *lab;     // of strategies; null before the first one
cudaStream_t stream; // of lab, which waits for no other stream
g500_color *color; // null before the first colouring

bool coloring;     // runs colour
g500_color_method method;
std::vector<uint32_t> by_core; // colours, if a core has finished the last colouring

void read_graph(std::istream &words) {
	uint64_t vertices;
	words >> vertices >> graph.edges >> graph.symmetric;
	read_array(graph.offsets, vertices + 1);
	read_array(graph.columns, graph.edges);
	answer_code(0);
}

template <typename T>
cudaError_t copy_to_device(Array<T> &to, const std::vector<T> &from) {
	G500_TRY(to.alloc(from.size()));
	return cudaMemcpyAsync(to.get(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, nullptr);
}

cudaError_t copy_graph() {
	G500_TRY(copy_to_device(plugin.offsets, graph.offsets));
	G500_TRY(copy_to_device(plugin.columns, graph.columns));
	G500_TRY(plugin.result.alloc(graph.vertices()));
	G500_TRY(cudaDeviceSynchronize());
	std::vector<uint32_t>().swap(graph.columns);
	return cudaSuccess;
}

// Loads the plugin of this process, unless it has it already, and copies the graph to the device if there is one.
void load(const std::string &path) {
	if (plugin.search) return answer("");
	void *const library = dlopen(path.c_str(), RTLD_NOW);
	if (!library) return answer_text("failure", dlerror());
	plugin.search = (decltype(plugin.search))dlsym(library, "g500_plugin_search");
	if (!plugin.search)
		return answer_text("failure", "it has no function g500_plugin_search: declare it as in g500_plugin.h");
	const char *const before = (const char *)dlsym(library, "g500_plugin_before_clock");
	const cudaError_t code = graph.offsets.empty() ? cudaSuccess : copy_graph();
	if (code) return answer_code(code);
	answer_text("before", before ? before : "");
}

void prepare(std::istream &words) {
	coloring = false;
	g500_lab_strategy parts;
	g500_lab_defaults(&parts);
	for (std::string word; words >> word;) {
		const size_t at = word.find('=');
		const std::string key = word.substr(0, at), value = word.substr(at + 1);
		if (g500_lab_set(&parts, key.c_str(), value.c_str()))
			return answer_text("failure", "strategies have no " + word + ": build this program again");
	}
	const g500_lab_graph rows = graph.rows();
	int code = stream ? 0 : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	if (!code && !lab) {
		code = g500_lab_create(&rows, &lab, stream);
		if (!code) std::vector<uint32_t>().swap(graph.columns);
	}
	if (!code) code = g500_lab_prepare(lab, &parts, stream);
	answer_code(code, "left_out", {kNoMemory, {cudaErrorInvalidValue,
		"its parts do not fit together, or it goes bottom-up or drops leaves, and the graph is directed"}});
}

// Searches by the plugin. The result has other values before, so that an earlier result is none of this search.
void search_by_plugin(uint32_t root) {
	const g500_plugin_graph rows = {graph.vertices(), graph.edges, plugin.offsets, plugin.columns,
		graph.symmetric};
	int code = cudaMemsetAsync(plugin.result, 0xfe, graph.vertices() * sizeof(uint32_t), nullptr);
	if (!code) code = cudaDeviceSynchronize();
	const Clock::time_point began = Clock::now();
	if (!code) plugin.meaning = plugin.search(&rows, root, plugin.result, nullptr);
	if (!code) code = cudaDeviceSynchronize();
	const auto took = std::chrono::nanoseconds(Clock::now() - began).count();
	if (code) answer_code(code);
	else if (plugin.meaning < 0)
		answer_text("failure", "it returned " + std::to_string(plugin.meaning) + ": see its source");
	else answer(seconds("seconds", (uint64_t)took));
}

std::string levels_of(const g500_lab_totals &totals) {
	std::vector<g500_lab_level> levels(totals.levels + 1);
	levels.resize((size_t)g500_lab_levels(lab, levels.data(), (int)totals.levels));
	std::string all;
	for (const g500_lab_level &l : levels)
		all += (all.empty() ? "{" : ",{") + truth("bottom_up", l.bottom_up) + ',' + number("vertices", l.vertices) + ',' +
			number("edges", l.edges) + ',' + number("launches", l.launches) + ',' + seconds("seconds", l.nanoseconds) + '}';
	return "\"levels\":[" + all + ']';
}

std::string shares_of() {
	std::vector<g500_lab_share> shares(G500_LAB_MOST_GPUS);
	shares.resize((size_t)g500_lab_shares(lab, shares.data(), G500_LAB_MOST_GPUS));
	std::string all;
	for (const g500_lab_share &s : shares)
		all += (all.empty() ? "{" : ",{") + number("gpu", s.device) + ',' + number("vertices", s.vertices) + ',' +
			number("edges", s.edges) + ',' + number("filtered", s.filtered) + ',' + number("pulled", s.pulled) + '}';
	return "\"shares\":[" + all + ']';
}

void search_by_strategy(uint32_t root) {
	g500_lab_totals t;
	if (const int code = g500_lab_run(lab, root, &t, stream)) return answer_code(code);
	answer(seconds("seconds", t.nanoseconds) + ',' + truth("full", t.outcome == G500_LAB_QUEUE_FULL) + ',' +
		number("expanded_vertices", t.vertices) + ',' + number("inspected_edges", t.edges) + ',' +
		number("repeated_vertices", t.repeated_vertices) + ',' + number("cache_hits", t.cache_hits) + ',' +
		number("children", t.children) + ',' + number("launches", t.launches) + ',' +
		number("queue_bytes", t.queue_bytes) + ',' + levels_of(t) + ',' + shares_of());
}

void send_result() {
	static std::vector<uint32_t> words;
	words.resize(graph.vertices());
	const uint32_t *const distances = lab ? g500_lab_distances(lab) : nullptr;
	const uint32_t *const found = lab ? distances ? distances : g500_lab_parents(lab) : plugin.result.get();
	const bool parents = lab ? !distances : plugin.meaning == G500_PLUGIN_PARENTS;
	const uint32_t *const from = coloring ? g500_color_colors(color) : found;
	if (coloring && !by_core.empty()) words = by_core;
	else if (const int code = g500::read_back(words.data(), from, words.size() * sizeof(uint32_t), nullptr))
		return answer_code(code);
	answer_text("of", coloring ? "colors" : parents ? "parents" : "distances");
	send(words);
}

// Gives each vertex without a colour the first one that no neighbour has: the third step of 3-step GM.
void finish(std::vector<uint32_t> &colors) {
	std::vector<uint32_t> last; // one more than the last vertex with a neighbour of this colour
	for (uint32_t v = 0; v < graph.vertices(); v++) {
		if (colors[v]) continue;
		last.resize(std::max(last.size(), (size_t)(graph.offsets[v + 1] - graph.offsets[v]) + 2));
		for (uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; e++)
			if (const uint32_t taken = colors[graph.columns[e]]; taken < last.size()) last[taken] = v + 1;
		colors[v] = 1;
		while (last[colors[v]] == v + 1) colors[v]++;
	}
}

void answer_color(int code) {
	answer_code(code, "left_out", {kNoMemory, {cudaErrorNotSupported,
		"it needs a GPU, the library cuSPARSE with csrcolor, and fewer than 2^31 edges"}});
}

void prepare_color(std::istream &words) {
	std::string names;
	method = {};
	words >> method.rounds >> names;
	if (g500_color_set(&method, names.c_str()))
		return answer_text("failure", "there is no colouring " + names + ": build this program again");
	method.partitioned = method.rounds > 0; // each thread begins with consecutive vertices, as in 3-step GM
	by_core.resize(method.rounds ? graph.vertices() : 0);
	coloring = true;
	const g500_lab_graph rows = graph.rows();
	answer_color(color ? 0 : g500_color_create(&rows, &color, nullptr));
}

// Colours the graph. The time of a limited number of rounds includes the copy to the host and the work of the core.
void color_graph() {
	g500_color_totals totals{};
	const Clock::time_point began = Clock::now();
	int code = g500_color_run(color, &method, &totals, nullptr);
	if (!code && method.rounds)
		code = g500::read_back(by_core.data(), g500_color_colors(color), by_core.size() * sizeof(uint32_t), nullptr);
	if (code) return answer_color(code);
	if (method.rounds) {
		finish(by_core);
		totals.nanoseconds = (uint64_t)std::chrono::nanoseconds(Clock::now() - began).count();
	}
	answer(seconds("seconds", totals.nanoseconds) + ",\"coloring\":{" + number("rounds", totals.rounds) + ',' +
		number("conflicts", totals.conflicts) + '}');
}

// Keeps this thread busy with calls of CUDA for 100 us, because it has waited for a request: a run then begins with the
// core awake and the driver's code in its caches, as a run that follows another one in the same process.
void wake_up() {
	const Clock::time_point began = Clock::now();
	while (Clock::now() - began < std::chrono::microseconds(100)) cudaStreamQuery(stream);
}

// Ends this process if the one that started it ends, even during a search without an end.
void end_with_parent() {
	pollfd at = {fileno(requests), 0, 0};
	while (poll(&at, 1, -1) < 0) {}
	_exit(1);
}

} // namespace

int main() {
	if (isatty(0)) return fprintf(stderr, "g500-lab starts this program\n"), 2;
	for (const int pipe : {0, 1}) fcntl(pipe, F_SETPIPE_SZ, 1 << 20); // fewer switches between both processes
	requests = fdopen(dup(0), "r"), answers = fdopen(dup(1), "w");
	if (!requests || !answers || dup2(2, 1) < 0 || !freopen("/dev/null", "r", stdin)) return 2;
	std::thread(end_with_parent).detach();
	char line[1 << 16];
	while (fgets(line, sizeof line, requests)) {
		std::istringstream words(line);
		std::string request, path;
		words >> request;
		uint32_t root;
		if (request == "graph") read_graph(words);
		else if (request == "plugin") std::getline(words >> std::ws, path), load(path);
		else if (request == "strategy") prepare(words);
		else if (request == "color") prepare_color(words);
		else if (request == "run" && words >> root)
			wake_up(), coloring ? color_graph() : lab ? search_by_strategy(root) : search_by_plugin(root);
		else if (request == "result") send_result();
		else if (request == "pages") on_pages(words, &lab);
		else answer_text("failure", "it does not know the request " + request + ": build this program again");
	}
	_exit(0); // without the destructors of a plugin
}
