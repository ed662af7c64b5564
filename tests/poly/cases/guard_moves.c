// want: sequential
/* The partner is another one from iteration to iteration. */
#pragma regraph size(n=512) size(n=64) require(65536 % n == 0) require(4 <= n)
void guard_moves(int n, float a[n])
{
    int j = 1;
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i) {
            float t = a[i];
            a[i] = a[l];
            a[l] = 0.5f * t;
        }
        j = j == 1 ? 3 : 1;
    }
}
