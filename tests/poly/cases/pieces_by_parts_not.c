// Lengths below zero, from which nothing is taken: what is left of them is what they were. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=37) input(len: uniform(-19, 19)) extent(row: 20 * n)
void pieces_by_parts_not(const float *row, const int *len, int n, float *sum, int *rest)
{
    for (int i = 0; i < n; i++) {
        const float *p = row + 20 * i;
        int left = len[i];
        float s = 0;
        for (; left >= 4; left -= 4, p += 4) s += p[0] * p[3] - p[1] * p[2];
        sum[i] = s;
        rest[i] = left;
    }
}
