// function: down
// size: net.n=3,nb=100
// expect: it is not followed further than line
typedef struct {
    float *w, *out;
} layer;
typedef struct {
    int n;
    layer L[4];
} layers;
int down(layers *net, int nb)
{
    int l;
    for (l = 0; l < net->n; l++) {
        layer *ly = &net->L[l];
        for (int j = 0; j < nb; j++) ly->out[j] += ly->w[j];
        if (ly->out[0] > 0.3f) break;
    }
    return l;
}
