// Two dimensions close to the ends of int and unsigned, a reduction inside. want: parallel
// chain: parallelize,row.warp
#pragma regraph size(lo=2147483000,n=60,top=4294967000,m=90) size(lo=2147483100,n=7,top=4294967001,m=33)
void far_rows(int lo, int n, unsigned top, unsigned m, const float a[n][m], float y[n])
{
    for (int i = lo; i < lo + n; i++) {
        float s = 0;
        for (unsigned j = top; j < top + m; j++) s += a[i - lo][j - top] * (float)(j & 3);
        y[i - lo] = s;
    }
}
