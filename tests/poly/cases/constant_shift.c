// want: parallel
// Lengths and bounds that are shifts of computed constants (`1 << (BITS - 1)`, `STATES >> 1`) are the numbers that they are.
#define BITS 7
#define STATES (1 << (BITS - 1))
#pragma regraph size(n=311)
void constant_shift(const float *a, float *b, int n)
{
    float t[STATES];
    for (int i = 0; i < n; i++) {
        for (int s = 0; s < STATES; s++) t[s] = a[i * STATES + s];
        for (int s = 0; s < STATES; s++) b[i * STATES + s] = t[s] + t[s >> 1] + t[(s >> 1) | (STATES >> 1)];
    }
}
