/* Expression trees in arrays: op 0 constant, 1 variable, 2 add, 3 multiply, 4 min; each tree is a heap of 63 nodes. */
#define NODES 63
static float eval(const int *op, const float *value, int node, float x)
{
    int o = op[node] & 7;
    if (2 * node + 2 >= NODES || o == 0) return value[node];
    if (o == 1) return x + value[node];
    float l = eval(op, value, 2 * node + 1, x), r = eval(op, value, 2 * node + 2, x);
    switch (o) {
    case 2: return l + r;
    case 3: return l * r;
    case 4: return l < r ? l : r;
    default: return l - r;
    }
}
void trees(int n, const int op[n][NODES], const float value[n][NODES], const float x[n], float y[n])
{
    for (int i = 0; i < n; i++) y[i] = eval(op[i], value[i], 0, x[i]);
}
