#pragma regraph size(n=2000)
void scan(const int *in, int *out, int n)
{
    int acc = 0;
    for (int i = 0; i < n; i++) {
        acc += in[i];
        out[i] = acc;
    }
}
