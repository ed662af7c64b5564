// want: parallel
/* Nothing is returned, yet what follows is skipped. */
#pragma regraph size(n=4000, rounds=9) input(x: uniform(1, 2))
void settle(int n, int rounds, float *x, int *state)
{
    *state = 0;
    for (int r = 0; r < rounds; r++) {
        float top = 0;
        for (int i = 0; i < n; i++) top = x[i] > top ? x[i] : top;
        if (top < 0.05f) {
            *state = r;
            return;
        }
        for (int i = 0; i < n; i++) x[i] = 0.5f * x[i];
    }
    for (int i = 0; i < n; i++) x[i] += 1;
    *state = -1;
}
