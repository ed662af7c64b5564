// Places below a power of two whose logarithm a loop counts, in words of 64 bits. want: parallel
// chain: parallelize@C
// shows: rg_mirrored
#pragma regraph size(n=1024) size(n=8) size(n=2) extent(x: n)
#include <stddef.h>
static size_t reverse_bits(size_t val, int width) {
	size_t result = 0;
	for (int i = 0; i < width; i++, val >>= 1)
		result = (result << 1) | (val & 1U);
	return result;
}
int reversed_levels(double *x, size_t n) {
	int levels = 0;
	for (size_t temp = n; temp > 1U; temp >>= 1)
		levels++;
	if ((size_t)1U << levels != n) return 0;
	for (size_t i = 0; i < n; i++) {
		size_t j = reverse_bits(i, levels);
		if (j > i) { double t = x[i]; x[i] = x[j]; x[j] = t; }
	}
	return 1;
}
