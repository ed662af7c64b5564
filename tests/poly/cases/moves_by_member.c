// Two buffers of a file-scope structure that a local pointer leads to, exchanged by way of another pointer. want: parallel
#pragma regraph init(grow) size(n=20000,steps=9) size(n=70,steps=4) size(n=5,steps=3)
#include <stdlib.h>
typedef struct { float x, y; } pair;
static struct state { int n; pair *now, *next; } state;
void grow(int n)
{
    state.n = n;
    state.now = malloc(n * sizeof(pair));
    state.next = malloc(n * sizeof(pair));
    for (int i = 0; i < n; i++) {
        state.now[i].x = state.now[i].y = (float)(i % 7);
        state.next[i].x = state.next[i].y = 0;
    }
}
void moves_by_member(int steps, float *out)
{
    struct state *s = &state;
    const int n = s->n;
    for (int t = 0; t < steps; t++) {
        float change = 0;
        for (int i = 1; i < n - 1; i++) {
            s->next[i].x = 0.5f * (s->now[i - 1].x + s->now[i + 1].y);
            s->next[i].y = s->now[i].y + 0.1f;
            change += s->next[i].x;
        }
        pair *was = s->now;
        s->now = s->next;
        s->next = was;
        if (change < 1e-3f) break;
    }
    for (int i = 0; i < n; i++) {
        const float c[2] = {s->now[i].x, s->now[i].y};
        for (int k = 0; k < 2; k++) out[2 * i + k] = 2 * c[k];
    }
}
