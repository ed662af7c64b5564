/* A small convolutional network: images are flat, layers take rows; weights lie in a structure behind a pointer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define IMG 28
#define K 5
#define OUT (IMG - K + 1)
#define MAPS 6
#define FLAT (MAPS * (OUT / 2) * (OUT / 2))
typedef struct {
    float conv[MAPS][K][K];
    float bias[MAPS];
    float fc[10][FLAT];
    float fb[10];
} net_t;

static void conv(const float in[IMG][IMG], const float w[K][K], float b, float out[OUT][OUT])
{
    for (int i = 0; i < OUT; i++)
        for (int j = 0; j < OUT; j++) {
            float s = b;
            for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++) s += in[i + u][j + v] * w[u][v];
            out[i][j] = s > 0 ? s : 0;
        }
}

static void dense(const float *w, const float *b, const float *x, float *y, int m, int n)
{
    for (int i = 0; i < m; i++) {
        float s = b[i];
        for (int j = 0; j < n; j++) s += w[i * n + j] * x[j];
        y[i] = s;
    }
}

void infer(const net_t *net, const float *images, int n, float *scores)
{
    for (int s = 0; s < n; s++) {
        const float *img = images + s * IMG * IMG;
        float feat[FLAT];
        for (int m = 0; m < MAPS; m++) {
            float map[OUT][OUT];
            conv((const float (*)[IMG])img, net->conv[m], net->bias[m], map);
            for (int i = 0; i < OUT / 2; i++)
                for (int j = 0; j < OUT / 2; j++) {
                    float best = map[2 * i][2 * j];
                    for (int a = 0; a < 2; a++)
                        for (int b = 0; b < 2; b++)
                            if (map[2 * i + a][2 * j + b] > best) best = map[2 * i + a][2 * j + b];
                    feat[(m * (OUT / 2) + i) * (OUT / 2) + j] = best;
                }
        }
        dense(&net->fc[0][0], net->fb, feat, scores + 10 * s, 10, FLAT);
    }
}

int main(void)
{
    enum { N = 64 };
    net_t *net = malloc(sizeof *net);
    float *images = malloc(sizeof(float) * N * IMG * IMG), *scores = malloc(sizeof(float) * N * 10);
    float *w = (float *)net;
    for (size_t i = 0; i < sizeof *net / sizeof *w; i++) w[i] = (float)rand() / RAND_MAX - 0.5f;
    for (int i = 0; i < N * IMG * IMG; i++) images[i] = (float)rand() / RAND_MAX;
    infer(net, images, N, scores);
    printf("%f\n", scores[0]);
    free(net);
    free(images);
    free(scores);
    return 0;
}
