// There is room for more than a row has: the next row's begin is overwritten, which no thread of its own may do. want: parallel
// refused: parallelize@C : carries a dependence (output) on list
#pragma regraph size(n=300) size(n=30) extent(list: n * 24 + 8) input(x: uniform(0, 20))
void neighbour_lists_not(int n, const float x[n], int list[])
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < n; j++)
            if ((x[i] - x[j]) * (x[i] - x[j]) < 9 && k < 32) list[i * 24 + k++] = j;
    }
}
