// From the last element on; what is kept is read behind the loop. want: parallel
#pragma regraph size(n=300) size(n=17) size(n=1)
int changes(int n, const int *x, int *end)
{
    int next = x[0], count = 1;
    for (int i = n - 1; i >= 0; --i) {
        if (x[i] != next) count++;
        next = x[i];
    }
    *end = next;
    return count;
}
