#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define MAX_LAYERS 4
typedef struct {
    int in, out;
    float *w;      /* out x in */
    float *b;
    float *act;    /* batch x out */
} layer_t;
static layer_t net[MAX_LAYERS];
static int n_layers = 0;

static void add_layer(int in, int out, const float *w, const float *b, int batch)
{
    layer_t *l = &net[n_layers++];
    l->in = in;
    l->out = out;
    l->w = malloc(in * out * sizeof(float));
    l->b = malloc(out * sizeof(float));
    l->act = malloc(batch * out * sizeof(float));
    for (int i = 0; i < in * out; i++) l->w[i] = w[i];
    for (int i = 0; i < out; i++) l->b[i] = b[i];
}
static void forward_layer(const layer_t *l, const float *x, int batch)
{
    for (int s = 0; s < batch; s++)
        for (int o = 0; o < l->out; o++) {
            float a = l->b[o];
            for (int i = 0; i < l->in; i++) a += l->w[o * l->in + i] * x[s * l->in + i];
            l->act[s * l->out + o] = a > 0 ? a : 0.01f * a;
        }
}
void predict(int batch, int d, int h, int k, const float *x, const float *w1, const float *b1, const float *w2, const float *b2,
             float *y)
{
    n_layers = 0;
    add_layer(d, h, w1, b1, batch);
    add_layer(h, k, w2, b2, batch);
    const float *in = x;
    for (int l = 0; l < n_layers; l++) {
        forward_layer(&net[l], in, batch);
        in = net[l].act;
    }
    for (int i = 0; i < batch * k; i++) y[i] = net[n_layers - 1].act[i];
    for (int l = 0; l < n_layers; l++) { free(net[l].w); free(net[l].b); free(net[l].act); }
}
