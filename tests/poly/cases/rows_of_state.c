// Compressed rows that a set-up parks in a structure of the file: as long as their data lead. want: parallel
// chain: parallelize@C
#pragma regraph init(rows_of_state_set)
typedef unsigned int vid;
static struct {
    vid n;
    const vid *row, *src;
    double *now;
    float scale;
} g;
int rows_of_state_set(vid n, const vid *row, const vid *src, double *now)
{
    if (n < 1) return -1;
    g.n = n;
    g.row = row;
    g.src = src;
    g.now = now;
    g.scale = 0.5f;
    for (vid e = 0; e < row[n]; e++)
        if (src[e] >= n) return -2;
    return 0;
}
void rows_of_state(double *out)
{
    vid v;
    for (v = 0; v < g.n; v++) {
        double sum = 0;
        for (vid e = g.row[v]; e < g.row[v + 1]; e++) sum += g.now[g.src[e]];
        out[v] = sum * g.scale;
    }
}
