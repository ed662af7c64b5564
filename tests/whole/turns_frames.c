#include <stdio.h>
#include <stdlib.h>
struct field { int n; float *now, *then; };
static void diffuse(struct field *f, float k)
{
    for (int y = 1; y < f->n - 1; y++)
        for (int x = 1; x < f->n - 1; x++) {
            int i = y * f->n + x;
            f->then[i] = f->now[i] + k * (f->now[i - 1] + f->now[i + 1] + f->now[i - f->n] + f->now[i + f->n] - 4 * f->now[i]);
        }
    float *t = f->now; f->now = f->then; f->then = t;
}
void frames(struct field *f, int nframes, int substeps, float k, float *probe)
{
    for (int t = 0; t < nframes; t++) {
        for (int s = 0; s < substeps; s++) diffuse(f, k);
        probe[t] = f->now[(f->n / 2) * f->n + f->n / 2];
    }
}
void field_init(struct field *f, int n)
{
    f->n = n;
    f->now = malloc(n * n * sizeof(float));
    f->then = malloc(n * n * sizeof(float));
    for (int i = 0; i < n * n; i++) f->now[i] = f->then[i] = (float)(i % 91) / 91;
}
int main(void)
{
    struct field f;
    float probe[8];
    field_init(&f, 512);
    frames(&f, 8, 5, 0.1f, probe);
    printf("%f\n", probe[7]);
    return 0;
}
