/* Arrays with rows, and members of structures, that pointers walk through as one piece: all in one dimension where they
 * may leave a row; the loops that carry something over the end of one are not parallel. */
#include <string.h>
#pragma regraph size(n=40, m=30)
struct net {
    float w[12][16], b[12];
};
static void scale(float *x, int n, float s)
{
    for (int i = 0; i < n; i++) x[i] *= s;
}
void first_address(int n, int m, float a[n][m], float s) { scale(&a[0][0], n * m, s); }
void first_row(int n, int m, float a[n][m], float s) { scale(a[0], n * m, s); }
void starred(int n, int m, float a[n][m], float s) { scale(*a, n * m, s); }
void cast_whole(int n, int m, float a[n][m], float s) { scale((float *)a, n * m, s); }
void row_after_row(int n, int m, float a[n][m], float s)
{
    for (int i = 0; i < n; i++) scale(a[i], m, s);
}
void planes(int n, float f[n][24][32], float s)
{
    for (int z = 0; z < n; z++) scale((float *)f[z], 24 * 32, s);
}
void member_whole(struct net *net, float s) { scale((float *)net->w, 12 * 16, s); }
void member_pointer(struct net *net, const struct net *by)
{
    float *w = &net->w[0][0];
    const float *g = *by->w;
    for (int i = 0; i < 12 * 16; i++) w[i] -= g[i];
}
void member_rows(const struct net *net, float *o)
{
    const float(*w)[16] = net->w;
    for (int i = 0; i < 12; i++) o[i] = w[i][0] + net->b[i];
}
void member_memory(struct net *net)
{
    memset(net->w, 0, sizeof net->w);
    memcpy(net->b, &net->w[1][0], sizeof net->b);
}
void tile(int n, const float *x, float *y)
{
    for (int b = 0; b < n; b++) {
        float t[8][8], *p = &t[0][0];
        memcpy(t, x + b * 64, sizeof t);
        for (int k = 0; k < 64; k++) p[k] *= 2.0f;
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) y[b * 64 + i * 8 + j] = t[i][j] + t[j][i];
    }
}
void carried_flat(int n, float a[n][64])
{
    float *p = &a[0][0];
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 64; j++) p[i * 64 + j] = a[i - 1][j] + 1;
}
void carried_on(int n, float a[n][32])
{
    float *p = *a;
    for (int k = 32; k < n * 32; k++) p[k] = p[k - 32] + a[0][0];
}
void carried_by_row(int n, float a[n][32])
{
    for (int i = 0; i < n - 1; i++) {
        float *r = a[i];
        for (int j = 0; j < 32; j++) r[j + 32] = a[i][j] * 0.5f;
    }
}
