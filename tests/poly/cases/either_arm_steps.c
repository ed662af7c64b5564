// want: parallel
/* Pointers that both arms of a condition move, and one that is set to the end of the row; counters likewise. */
#include <math.h>
#include <stddef.h>
void either_arm_steps(const float *x, int rows, int cols, float *out, size_t n, const int *a, int *b)
{
    const float *p, *end;
    int left = rows;
    while (left-- > 0) {
        float m = -INFINITY, s = 0.0f;
        end = x + cols;
        for (p = x; p < end; p++)
            if (*p > m) m = *p;
        if (isinf(m)) {
            *out++ = m;
        } else {
            for (p = x; p < end; p++) s += expf(*p - m);
            *out++ = m + logf(s);
        }
        x = end;
    }
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (a[i] > 50) {
            b[k] = a[i];
            k += 1;
            b[k++] = 1;
        } else if (a[i] > 20) {
            b[k++] = 2;
            b[k++] = a[i];
        } else {
            const size_t next = k + 2;
            b[k] = 0;
            b[k + 1] = 3;
            k = next;
        }
    }
}
