// copies of whole structures, of which not every member is set; padding
struct cell { char kind; double v; short w; };
#pragma regraph size(n=300)
void pack(int n, const struct cell *in, struct cell *out)
{
    for (int i = 0; i < n; i++) {
        out[i].kind = in[i].kind;
        out[i].v = in[i].v * 2;
        out[i].w = in[i].w;
        if (i > 0) { struct cell t = out[i - 1]; out[i].v += t.v > 0 ? 1 : 0; }
    }
}
