#include <stddef.h>

/* One system of a batch: dense, row-major, factored in place without exchanges. */
struct batch {
    size_t count, order;
    float *values;
};

static void factor(float *a, size_t n)
{
    for (size_t k = 0; k + 1 < n; k++) {
        const float *pivot = a + k * n;
        for (size_t i = k + 1; i < n; i++) {
            float *row = a + i * n;
            const float l = row[k] /= pivot[k] + 40.0f;
            for (size_t j = k + 1; j < n; j++)
                row[j] -= l * pivot[j];
        }
    }
}

void factor_all(struct batch *b)
{
    for (size_t m = 0; m < b->count; m++)
        factor(b->values + m * b->order * b->order, b->order);
}
