// A store under a condition that is partly affine: never executed where the element does not exist. want: parallel
#pragma regraph size(n=1000) size(n=37)
void ifoob(int n, const int mask[n], float y[n]) {
    for (int i = 0; i < n; i++)
        if (i > 0 && mask[i] > 0) y[i-1] = 0;
}
