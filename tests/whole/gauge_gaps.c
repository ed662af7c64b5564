/* River gauges report every ten minutes, with holes. A hole is bridged with the reading before it, shifted by the drift
   of the gauge, while that reading is young; before the first reading there is nothing to bridge with. */
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef struct {
    double *level;
    bool *bridged;
    unsigned slots;
} Gauge;

static bool hole(double v) { return v < 0.0; }

unsigned bridge(Gauge *g, double drift, int young)
{
    double reading = 0.0;
    int slots_ago = -1;
    unsigned holes_left = 0;
    for (unsigned s = 0; s < g->slots; ++s) {
        const double now = g->level[s];
        bool put = false;
        if (!hole(now)) {
            reading = now;
            slots_ago = 0;
        } else {
            if (slots_ago >= 0) {
                ++slots_ago;
                if (slots_ago < young) {
                    g->level[s] = reading + drift;
                    put = true;
                }
            }
            if (!put)
                holes_left++;
        }
        g->bridged[s] = put;
    }
    return holes_left;
}

int main(void)
{
    enum { N = 50000 };
    Gauge g = {malloc(N * sizeof(double)), malloc(N * sizeof(bool)), N};
    for (int i = 0; i < N; i++) g.level[i] = rand() % 3 ? rand() % 400 / 100.0 : -1.0;
    printf("%u\n", bridge(&g, 0.01, 4));
    return 0;
}
