// A counter that a declaration reads and moves on, once in a block of every round: blocks have it of one another. want: sequential
#pragma regraph size(n=256) size(n=8) size(n=2) extent(x: n) extent(w: 2 * n) require(1073741824 % n == 0)
void rounds(int *x, const int *w, unsigned n)
{
    unsigned k = 0;
    for (unsigned len = n / 2; len >= 1; len /= 2)
        for (unsigned at = 0; at < n; at += 2 * len) {
            int z = w[k++];
            for (unsigned j = at; j < at + len; j++) {
                int t = x[j + len] * z;
                x[j + len] = x[j] - t;
                x[j] += t;
            }
        }
}
