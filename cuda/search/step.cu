// The table of steps for the host.
#include "search/step.cuh"

extern "C" const char *g500_step_name(uint32_t step) {
	switch (step) {
#define G500_ROW(NAME, step, name, ...) \
	case G500_##NAME: return name;
		G500_STEPS(G500_ROW)
#undef G500_ROW
	case G500_WRITE_RESULT: return "write-result";
	}
	return nullptr;
}

extern "C" int g500_step_direction(uint32_t step) { return g500::is_bottom_up(step) ? G500_BOTTOM_UP : G500_TOP_DOWN; }
