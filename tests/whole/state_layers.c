/* a small multilayer perceptron: forward pass over a batch */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    int n_in, n_out;
    float *w;      /* n_out x n_in */
    float *b;      /* n_out */
    float *act;    /* batch x n_out */
} layer;

typedef struct {
    int nlayers;
    int batch;
    layer *l;
} network;

static network net;

void net_init(int batch, int n0, int n1, int n2, int n3)
{
    int dims[4] = { n0, n1, n2, n3 };
    net.nlayers = 3;
    net.batch = batch;
    net.l = malloc(net.nlayers * sizeof(layer));
    for (int i = 0; i < net.nlayers; i++) {
        layer *p = &net.l[i];
        p->n_in = dims[i];
        p->n_out = dims[i + 1];
        p->w = malloc(sizeof(float) * p->n_in * p->n_out);
        p->b = malloc(sizeof(float) * p->n_out);
        p->act = malloc(sizeof(float) * batch * p->n_out);
        for (int k = 0; k < p->n_in * p->n_out; k++) p->w[k] = 0.01f * ((k * 37 + i) % 101 - 50);
        for (int k = 0; k < p->n_out; k++) p->b[k] = 0.1f * (k % 7);
    }
}

static void layer_forward(const layer *p, const float *in, int batch)
{
    for (int s = 0; s < batch; s++)
        for (int o = 0; o < p->n_out; o++) {
            float acc = p->b[o];
            for (int i = 0; i < p->n_in; i++) acc += p->w[o * p->n_in + i] * in[s * p->n_in + i];
            p->act[s * p->n_out + o] = acc > 0 ? acc : 0.0f;
        }
}

void net_forward(const float *x, float *y)
{
    const float *in = x;
    for (int i = 0; i < net.nlayers; i++) {
        layer_forward(&net.l[i], in, net.batch);
        in = net.l[i].act;
    }
    layer *last = &net.l[net.nlayers - 1];
    for (int k = 0; k < net.batch * last->n_out; k++) y[k] = 1.0f / (1.0f + expf(-last->act[k]));
}

int main(void)
{
    net_init(256, 128, 200, 96, 10);
    float *x = malloc(256 * 128 * sizeof(float)), *y = malloc(256 * 10 * sizeof(float));
    for (int i = 0; i < 256 * 128; i++) x[i] = (i % 17) * 0.1f;
    net_forward(x, y);
    printf("%g\n", y[0]);
    return 0;
}
