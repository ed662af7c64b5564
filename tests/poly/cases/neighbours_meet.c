// want: parallel
/* Layers at the door, each of which must begin where the one before ends: numbers drawn one by one would turn it back. */
typedef struct {
    float absorb;
    double top, bottom;
    int kind;
} layer;
#pragma regraph size(m=40,n=20000) size(m=3,n=70) size(m=1,n=1) extent(l: m)
int light(const layer *l, int m, const float *in, float *out, int n)
{
    for (int i = 1; i < m; i++) {
        const layer *above = &l[i - 1];
        if (l[i].top != above->bottom) return -1;
    }
    for (int k = 0; k < n; k++) {
        float w = in[k];
        for (int i = 0; i < m; i++) w *= 1.0f - 0.5f * l[i].absorb * (float)(l[i].bottom - l[i].top);
        out[k] = w;
    }
    return 0;
}
