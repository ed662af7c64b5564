// two of three numbers lead to nodes; what the third says is something else
// expect: the extent of 'x' cannot be read off the code
void lengths(const float *x, const int *edge, int edges, float *length, int *kind)
{
    for (int e = 0; e < edges; e++) {
        length[e] = x[edge[3 * e]] - x[edge[3 * e + 1]];
        kind[e] = edge[3 * e + 2];
    }
}
#pragma regraph size(edges=100)
