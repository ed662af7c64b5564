// A list that the caller has room for goes on from call to call: no longer than the condition says. want: parallel
#pragma regraph input(n_found: constant(3)) size(n=100000, room=5000) size(n=1, room=4) size(n=33, room=9)
void above(int n, const float *x, float least, int *found, int *n_found, int room, float *y)
{
    for (int i = 0; i < n; i++) y[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
        if (x[i] * x[i] * x[i] > least && *n_found < room) found[(*n_found)++] = i;
}
