#pragma regraph size(n=1000)
int argmax(int n, const float *x)
{
    float best = x[0];
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    return at;
}
// explain: result           out    int[1] return value
// not: opaque parts
