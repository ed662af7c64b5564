// A void pointer to structures, and one to rows, which a loop reads as an image. want: parallel
#pragma regraph size(n=50,groups=40,w=30) size(n=1,groups=1,w=1) size(n=7,groups=3,w=5)
struct body { float x, y, z, m; };
static float weight(const struct body *b, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) s += b[i].m;
    return s;
}

void masses(const void *bodies, int n, int groups, int w, float *out, const void *image, float *mean)
{
    const struct body *all = bodies;
    const float(*rows)[w] = image;
    for (int g = 0; g < groups; g++) out[g] = weight(all + g * n, n);
    for (int x = 0; x < w; x++) {
        float s = 0;
        for (int y = 0; y < n; y++) s += rows[y][x];
        mean[x] = s / n;
    }
}
