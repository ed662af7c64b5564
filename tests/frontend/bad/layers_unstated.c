// function: forward
// expect: there are as many structures with pointers as 'net.n' says: state it, --size net.n=..
typedef struct {
    float *w, *out;
} layer;
typedef struct {
    int n;
    layer L[4];
} layers;
void forward(layers *net, const float *x, int nb)
{
    const float *in = x;
    for (int l = 0; l < net->n; l++) {
        for (int j = 0; j < nb; j++) net->L[l].out[j] = in[j] * net->L[l].w[j];
        in = net->L[l].out;
    }
}
