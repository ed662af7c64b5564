// Most of a turn is one thread's: in a block all threads would go through it. want: sequential
// No step is offered that would have a block go through it.
#include <math.h>
#pragma regraph size(n=17) size(n=5)
#pragma regraph input(k: uniform(0, 5))
float one_thread(int n, float a[n + 8][n + 8], int k[n + 8], const float c[n + 8][n + 8], const float d[n + 8], int count[1])
{
    int positive = 0;
    float top = 0;
    for (int t = 0; t < n; t++) {
        if (t > 0 && d[t + 3] > d[t + 5]) {
            for (int i = 0; i < 2; i++) positive += d[i + 3] > 0 || t == 1;
            a[t + 4][t + 4] = 0.1f * a[t + 2][t + 2];
        }
        for (int i = 0; i < n; i++)
            for (int j = (t + i) % 2; j < n; j += 2)
                for (int l = 0; l < n; l++)
                    if (j > 3 && t < j) {
                        k[l + 4] ^= 1;
                        if (k[t + 4] > 1) top = fminf(top, c[j + 6][j + 3]);
                        else a[(j + l) / 2 + 4][t + 4] = 0.1f * d[i + 4];
                    }
    }
    count[0] = positive;
    return top;
}
