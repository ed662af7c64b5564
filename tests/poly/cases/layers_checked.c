// want: parallel
/* Layers in memory that a helper of the set-up function allocates, checks, and hands to another that sets them one by
 * one; arrays that the set-up is given are inputs like others. */
#include <stdlib.h>
#include <string.h>
struct layer { int n_in, n_out; const float *w, *bias; int relu; };
static struct { struct layer *layers; int n_layers, n_set, widest; } net;
static int net_init(int n)
{
    free(net.layers);
    memset(&net, 0, sizeof net);
    net.layers = calloc((size_t)n, sizeof *net.layers);
    if (net.layers == NULL) return -1;
    net.n_layers = n;
    return 0;
}
static int net_add(int n_in, int n_out, const float *w, const float *bias, int relu)
{
    struct layer *l;
    if (net.n_set == net.n_layers) return -1;
    if (net.n_set > 0 && net.layers[net.n_set - 1].n_out != n_in) return -2;
    l = &net.layers[net.n_set++];
    l->n_in = n_in;
    l->n_out = n_out;
    l->w = w;
    l->bias = bias;
    l->relu = relu;
    if (n_in > net.widest) net.widest = n_in;
    if (n_out > net.widest) net.widest = n_out;
    return 0;
}
int net_open(int in, int hidden, int out, const float *w0, const float *b0, const float *w1, const float *b1)
{
    if (net_init(2)) return -1;
    if (net_add(in, hidden, w0, b0, 1) != 0) return -2;
    return net_add(hidden, out, w1, b1, 0);
}
#pragma regraph init(net_open) size(in=24,hidden=32,out=6,rows=900) size(rows=7) size(rows=1)
int net_run(const float *x, int rows, float *y)
{
    float *a = malloc(sizeof(float) * net.widest), *b = malloc(sizeof(float) * net.widest);
    if (!a || !b) return -1;
    const int n_in = net.layers[0].n_in, n_out = net.layers[net.n_layers - 1].n_out;
    for (int s = 0; s < rows; s++) {
        memcpy(a, x + (size_t)s * n_in, sizeof(float) * n_in);
        for (int k = 0; k < net.n_layers; k++) {
            const struct layer *l = &net.layers[k];
            for (int o = 0; o < l->n_out; o++) {
                float v = l->bias[o];
                for (int i = 0; i < l->n_in; i++) v += l->w[o * l->n_in + i] * a[i];
                b[o] = l->relu && v < 0 ? 0 : v;
            }
            float *t = a;
            a = b;
            b = t;
        }
        memcpy(y + (size_t)s * n_out, a, sizeof(float) * n_out);
    }
    free(a);
    free(b);
    return 0;
}
