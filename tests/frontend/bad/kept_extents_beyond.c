// function: largest
// expect: the extent of 'list' cannot be read off the code
int largest(const int *x, int n, int k, int *list)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (found < k) found++;
        int j = found;
        if (x[i] > 70) j += x[i] & 3;
        while (j > 0 && list[j - 1] < x[i]) {
            list[j] = list[j - 1];
            j--;
        }
        list[j] = x[i];
    }
    return found;
}
