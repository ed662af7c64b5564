// Layers in an array of structures with pointers, read one by one at the number of them that is given. want: parallel
#pragma regraph size(net.n=3,nb=32,net.L[0].nin=24,net.L[0].nout=40,net.L[1].nin=40,net.L[1].nout=16,net.L[2].nin=16,net.L[2].nout=5)
typedef struct {
    int nin, nout;
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
        layer *ly = &net->L[l];
        for (int b = 0; b < nb; b++)
            for (int j = 0; j < ly->nout; j++) {
                float s = 0;
                for (int k = 0; k < ly->nin; k++) s += ly->w[j * ly->nin + k] * in[b * ly->nin + k];
                ly->out[b * ly->nout + j] = s;
            }
        in = ly->out;
    }
}
