#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static unsigned char bits[65536];
static int filled;
static int popcount32(uint32_t v)
{
    if (!filled) {
        for (int i = 0; i < 65536; i++) {
            int c = 0;
            for (int k = i; k; k >>= 1) c += k & 1;
            bits[i] = (unsigned char)c;
        }
        filled = 1;
    }
    return bits[v & 0xffff] + bits[v >> 16];
}
void hamming_matrix(const uint32_t *fp, int n, int words, int *dist)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < words; k++) s += popcount32(fp[i * words + k] ^ fp[j * words + k]);
            dist[i * n + j] = s;
        }
}
int main(void)
{
    int n = 200, w = 32;
    uint32_t *f = malloc(n * w * 4); int *d = malloc(n * n * 4);
    for (int i = 0; i < n * w; i++) f[i] = i * 2654435761u;
    hamming_matrix(f, n, w, d);
    printf("%d\n", d[1]);
    return 0;
}
