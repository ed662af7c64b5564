// want: sequential
/* Both of a pair act; and where one does, on the element behind its own. */
#pragma regraph size(n=512,j=4) size(n=64,j=8) require(65536 % n == 0) require(j < n)
void guard_not_pairs(int n, int j, float a[n], float b[n + 1])
{
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l != i) a[i] = 0.5f * a[l] + 1.0f;
    }
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i) b[i + 1] = 0.5f * b[l] + 1.0f;
    }
}
