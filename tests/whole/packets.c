/* Telemetry frames: every sensor's readings go into a fixed frame as variable-length numbers. A frame that runs full is
   marked and keeps what went in; a reading of `skip` is left out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint16_t used, lost; } header;

static uint8_t *varint(uint8_t *p, uint8_t *end, uint32_t v)
{
	while (v >= 0x80) {
		if (p == end)
			return NULL;
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	if (p == end)
		return NULL;
	*p++ = (uint8_t)v;
	return p;
}

void frames(size_t sensors, size_t readings, size_t room, uint32_t skip, const uint32_t *value, uint8_t *frame, header *h)
{
	for (size_t s = 0; s < sensors; s++) {
		uint8_t *p = frame + s * room, *end = p + room;

		h[s].lost = 0;
		for (size_t r = 0; r < readings; r++) {
			uint32_t v = value[s * readings + r];
			if (v == skip)
				continue;
			uint8_t *q = varint(p, end, v);
			if (q == NULL) {
				h[s].lost++;
				continue;
			}
			p = q;
		}
		h[s].used = (uint16_t)(p - (frame + s * room));
	}
}

int main(void)
{
	size_t n = 500, m = 40, room = 64;
	uint32_t *v = malloc(n * m * sizeof *v), sum = 0;
	uint8_t *f = calloc(n, room);
	header *h = malloc(n * sizeof *h);

	for (size_t i = 0; i < n * m; i++)
		v[i] = (uint32_t)(i * 2654435761u >> (i % 31));
	frames(n, m, room, 7, v, f, h);
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + h[i].used + h[i].lost + f[i * room + 3];
	printf("%u\n", sum);
	free(v);
	free(f);
	free(h);
	return 0;
}
