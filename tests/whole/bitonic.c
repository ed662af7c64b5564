#include <stdio.h>
#include <stdlib.h>
void bitonic(float *a, int n)
{
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1)
            for (int i = 0; i < n; i++) {
                int l = i ^ j;
                if (l > i) {
                    if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l])) {
                        float t = a[i];
                        a[i] = a[l];
                        a[l] = t;
                    }
                }
            }
}
int main(void)
{
    int n = 4096;
    float *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (i * 7919) % 4096;
    bitonic(a, n);
    for (int i = 1; i < n; i++) if (a[i-1] > a[i]) return 1;
    printf("sorted\n");
    return 0;
}
