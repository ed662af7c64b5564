// says: output_read.c:7: add reads y[0]
// says: before it has written it
// says: role(y: inout)
#pragma regraph size(n=1000) role(y: out)
void add(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) { float old = y[i]; y[i] = x[i] + (old != old ? 0.0f : 0.0f); }
}
