// A step whose variable the branch asks for, and one behind which a narrow counter comes round. want: sequential
#pragma regraph size(n=3000) size(n=1) input(x: uniform(0, 9)) extent(out: 4)
void steps(int n, const int *x, int *out)
{
    unsigned char k = 0;
    int s = 1, a = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 4 && k++ > 200) a = 3 * a % 1009 + k;
        k += 1;
        if (k - 1 > 250) a += 1;
        if (s++ % 3 == 0) a = a * 2 % 1013 + s;
    }
    out[0] = a;
    out[1] = k;
    out[2] = s;
}
