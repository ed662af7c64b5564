// want: parallel
// chain: parallelize@C
// lacks: power_mem
/* The line in front of the loop keeps its first element from one iteration to the next. */
#pragma regraph size(frames = 60, n = 512) size(frames = 5, n = 8) size(frames = 3, n = 1)
#pragma regraph extent(x : frames *n) extent(at : n) extent(first : frames) extent(out : frames)
#pragma regraph input(at : uniform(0, n - 1)) input(first : uniform(0, n - 1))
void kept_power(int frames, int n, const float *x, const int *at, const int *first, float *out)
{
    float power[n];
    for (int i = 0; i < n; i++) power[i] = 0.5f;
    for (int t = 0; t < frames; t++) {
        float line[n];
        for (int i = 0; i < n; i++) line[i] = x[t * n + i];
        for (int i = 0; i < n; i++) line[at[i]] = 0.5f * line[at[i]] + 0.25f;
        for (int i = 1; i < n; i++) power[i] = line[i] * line[i];
        power[0] = 0.5f * power[0] + line[0];
        float e = 0.0f;
        for (int i = first[t]; i < n; i++) e += power[i];
        out[t] = e;
    }
}
