/* memcmp, memchr and memrchr as one writes them oneself */
#include <stdio.h>

typedef unsigned char u8;

static int cmp_bytes(const u8 *p, const u8 *q, unsigned n)
{
    unsigned k;
    for (k = 0; k != n; k++) {
        if (p[k] == q[k]) continue;
        return p[k] < q[k] ? -1 : 1;
    }
    return 0;
}

void inspect(const u8 *p, const u8 *q, unsigned n, u8 wanted, int *res)
{
    unsigned i, diff = n;
    int last = -1;
    res[0] = 0;
    for (i = 0; i < n; i++) {
        res[0] += p[i] == wanted;
        if (p[i] == 255 && q[i] == 0) { res[0] += 1000; break; }
    }
    res[1] = (int)i;
    for (i = n; i-- > 0;) {
        if (q[i] == wanted && p[i] > 250) {
            last = (int)i;
            break;
        }
    }
    res[2] = last;
    for (i = 0; i < n; i++) {
        if (p[i] / 64 == 3 && q[i] % 64 == 63 && (p[i] ^ q[i]) == 1) { diff = i; break; }
    }
    res[3] = (int)diff;
}

int compare(const u8 *p, const u8 *q, unsigned n) { return cmp_bytes(p, q, n); }

int main(void)
{
    u8 a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 5};
    int r[4];
    inspect(a, b, 4, 3, r);
    printf("%d %d %d\n", compare(a, b, 4), r[0], r[2]);
    return 0;
}
