// Buffers exchanged an odd or even number of times, or never, in each iteration of a loop whose next iteration goes on with what is in them. want: parallel
#pragma regraph size(frames=7, steps=5, n=90) size(frames=4, steps=1, n=33) size(frames=5, steps=2, n=20) size(frames=6, steps=3, n=9)
#include <stdlib.h>
void moves_left(int frames, int steps, int n, float u[n], float probe[frames])
{
    float *now = malloc(n * sizeof(float)), *then = malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) now[i] = then[i] = u[i];
    for (int f = 0; f < frames; f++) {
        for (int s = f % 2 + 1; s < steps; s++) {
            for (int i = 1; i < n - 1; i++) then[i] = now[i] + 0.2f * (now[i - 1] - 2 * now[i] + now[i + 1]);
            then[0] = now[n - 1];
            float *t = now;
            now = then;
            then = t;
        }
        probe[f] = now[n / 2] + then[n / 3];
    }
    for (int i = 0; i < n; i++) u[i] = now[i] - then[i];
    free(now);
    free(then);
}
