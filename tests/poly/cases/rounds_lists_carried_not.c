// A list that hands a scalar from one place to the next is gone through in order. want: parallel
// chain: parallelize
// shows: i < found
#pragma regraph size(n=300) size(n=5) size(n=1)
int carried(int n, float *x, int *list, float *seen)
{
    int rounds = 0, left = n;
    float last = 0.5f;
    while (left > n / 4 && rounds < 20) {
        int found = 0;
        for (int v = 0; v < n; v++)
            if (x[v] > 0.1f * (float)rounds) list[found++] = v;
        rounds++;
        if (!found) {
            left = 0;
            continue;
        }
        for (int i = 0; i < found; i++) {
            last = 1 / (1 + last * x[list[i]]);
            seen[list[i]] = last;
        }
        for (int v = 0; v < n; v++) x[v] *= 0.75f;
        left = found;
    }
    return rounds;
}
