// What both arms of a condition set is declared in front of it, without a value: a list's place needs that, too. want: parallel
// chain: scan.block
#pragma regraph size(n=30000) size(n=70) size(n=1)
int kept(int n, const float x[n], const float w[n], int out[n])
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        int is;
        if (x[i] > 0.5f) {
            float d = x[i] - w[i];
            is = d * d > 0.1f;
        } else {
            float s = x[i] + w[i];
            is = s < 0.4f;
        }
        if (!is) continue;
        out[m++] = i;
    }
    return m;
}
