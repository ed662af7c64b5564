// want: parallel
// chain: parallelize@C
// shows: scratch float power_mem
/* One line of scratch has places that data decide: each iteration has its own, and the other one beside it with it. */
#pragma regraph size(frames = 300, n = 512) size(frames = 5, n = 8) size(frames = 3, n = 1)
#pragma regraph extent(x : frames *n) extent(at : n) extent(first : frames) extent(out : frames)
#pragma regraph input(at : uniform(0, n - 1)) input(first : uniform(0, n - 1))
void swapped_power(int frames, int n, const float *x, const int *at, const int *first, float *out)
{
    float power[n];
    for (int t = 0; t < frames; t++) {
        float line[n];
        for (int i = 0; i < n; i++) line[i] = x[t * n + i];
        for (int i = 0; i < n; i++) line[at[i]] = 0.5f * line[at[i]] + 0.25f;
        for (int i = 0; i < n; i++) power[i] = line[i] * line[i];
        float e = 0.0f;
        for (int i = first[t]; i < n; i++) e += power[i];
        out[t] = e;
    }
}
