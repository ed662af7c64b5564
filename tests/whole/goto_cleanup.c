/* Scale space: an image blurred by two Gaussians, their difference, its extremes. One way out for all errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int    width, height;
    float *pixel;
} plane;

static plane *plane_new(int width, int height)
{
    plane *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->width = width;
    p->height = height;
    p->pixel = malloc((size_t)width * height * sizeof *p->pixel);
    if (!p->pixel) {
        free(p);
        return NULL;
    }
    return p;
}

static void plane_free(plane *p)
{
    if (!p) return;
    free(p->pixel);
    memset(p, 0, sizeof *p);
    free(p);
}

static float *bell(float sigma, int *taps)
{
    int half;
    half = (int)ceilf(2.0f * sigma);
    *taps = 2 * half + 1;
    float *k = malloc(*taps * sizeof *k), sum = 0.0f;
    if (!k) return NULL;
    for (int i = 0; i < *taps; i++) {
        k[i] = expf(-0.5f * (i - half) * (i - half) / (sigma * sigma));
        sum += k[i];
    }
    for (int i = 0; i < *taps; i++) k[i] /= sum;
    return k;
}

static int blur(const plane *from, plane *to, float sigma)
{
    int taps, failed = 1;
    plane *rows = NULL;
    float *k = bell(sigma, &taps);
    if (!k) goto out;
    rows = plane_new(from->width, from->height);
    if (!rows) goto out;
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++) {
            float s = 0.0f;
            for (int i = 0; i < taps; i++) {
                int at = x + i - taps / 2;
                if (at < 0) at = 0;
                if (at >= from->width) at = from->width - 1;
                s += k[i] * from->pixel[y * from->width + at];
            }
            rows->pixel[y * from->width + x] = s;
        }
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++) {
            float s = 0.0f;
            for (int i = 0; i < taps; i++) {
                int at = y + i - taps / 2;
                if (at < 0) at = 0;
                if (at >= from->height) at = from->height - 1;
                s += k[i] * rows->pixel[at * from->width + x];
            }
            to->pixel[y * from->width + x] = s;
        }
    failed = 0;
out:
    free(k);
    plane_free(rows);
    return failed;
}

/* marks: 1 where the difference is larger than at the four neighbours. Returns 0, or -1 without memory. */
int find_blobs(int width, int height, const float image[height][width], unsigned char marks[height][width])
{
    int status = -1;
    plane *in = plane_new(width, height), *fine = plane_new(width, height), *coarse = plane_new(width, height);
    if (!in || !fine || !coarse) goto done;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in->pixel[y * width + x] = image[y][x];
    if (blur(in, fine, 1.1f) || blur(in, coarse, 1.8f)) goto done;
    for (int i = 0; i < width * height; i++) fine->pixel[i] -= coarse->pixel[i];
    memset(marks, 0, (size_t)width * height);
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const float *at = fine->pixel + y * width + x;
            marks[y][x] = at[0] > at[-1] && at[0] > at[1] && at[0] > at[-width] && at[0] > at[width];
        }
    status = 0;
done:
    plane_free(in);
    plane_free(fine);
    plane_free(coarse);
    return status;
}

int main(void)
{
    enum { W = 120, H = 80 };
    static float a[H][W];
    static unsigned char m[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) a[y][x] = sinf(0.3f * x) * cosf(0.2f * y);
    int n = 0;
    if (find_blobs(W, H, (const float(*)[W])a, m)) return 1;
    for (int i = 0; i < W * H; i++) n += m[i / W][i % W];
    printf("%d\n", n);
    return 0;
}
