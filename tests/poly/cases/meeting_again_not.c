// Counters that meet in one round and stay there in the next: nothing begins anew. want: sequential
#pragma regraph size(n=1000, rounds=4) size(n=7, rounds=2) size(n=33, rounds=6) extent(x: n)
void folded_once(int *x, int n, int rounds)
{
    int i = 0, j = n - 1;
    for (int r = 0; r < rounds; r++) {
        while (i < j) {
            x[i] += x[j];
            i++;
            j--;
        }
    }
}
