// Buffers that data exchange, some rounds of a loop that is no pattern; what is left in both is asked for. want: parallel
#pragma regraph size(rounds=9, n=300) size(rounds=1, n=33) size(rounds=2, n=20) size(rounds=17, n=50)
void moves_data(int rounds, int n, const float x[rounds], float u[n], float v[n])
{
    float *p = u, *q = v;
    for (int k = 1; k < rounds; k++) {
        for (int i = 1; i < n; i++) q[i] = 0.5f * p[i] + 0.25f * p[i - 1] + x[k];
        if (x[k] > 0) {
            float *t = p;
            p = q;
            q = t;
        }
        p[0] += 1;
    }
    p[n - 1] = 3;
    for (int i = 0; i < n; i++) q[i] -= 0.5f * p[i];
}
