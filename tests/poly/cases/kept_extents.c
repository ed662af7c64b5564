// A list that is kept below the smaller of a size and a number is so long: what its locals keep within says it. want: sequential
int largest(const int *x, int n, int k, int *list)
{
    int found = 0;
    if (k > 16) k = 16;
    if (k < 1) return 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 3) continue;
        int j = found < k ? found++ : k - 1;
        while (j > 0 && list[j - 1] < x[i]) {
            list[j] = list[j - 1];
            j--;
        }
        list[j] = x[i];
    }
    return found;
}
