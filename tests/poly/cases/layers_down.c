// The last layer first, in a loop that its first one leaves; what the file sets the number of layers to is taken. want: parallel
#include <stdlib.h>
#pragma regraph size(nb=500)
typedef struct {
    float *w, *out;
} layer;
typedef struct {
    int n;
    layer L[4];
} layers;
static layers *create(int count)
{
    layers *net = calloc(1, sizeof *net);
    net->n = count - 1;
    return net;
}
int down(layers *net, int nb)
{
    int l;
    for (l = net->n - 1; l >= 0; l--) {
        layer *ly = &net->L[l];
        for (int j = 0; j < nb; j++) ly->out[j] += ly->w[j];
        if (l == 1) continue;
        if (l == 0) break;
        for (int j = 0; j < nb; j++) net->L[l - 1].out[j] += 2 * ly->out[j];
    }
    return l;
}
int main(void)
{
    layers *net = create(4);
    return net->n;
}
