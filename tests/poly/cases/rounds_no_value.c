// want: parallel
/* Elements that rounds compare with numbers, and only change by what they were. */
#pragma regraph size(n=17) size(n=1) size(n=8)
#pragma regraph input(k: uniform(0, 5))
void rounds_no_value(int n, int k[n + 16])
{
    for (int i1 = 0; i1 < n; i1 += 2) {
        for (int i2 = i1 + 1; i2 < n; i2++) {
            for (int i3 = 0; i3 < i2; i3++) {
                if (i2 + 2 <= n) {
                    if (k[i2 + 4] > 2) {
                        if (i2 % 3 == 0) {
                            k[i1 + 4] ^= 2;
                        }
                    }
                }
            }
        }
    }
}
