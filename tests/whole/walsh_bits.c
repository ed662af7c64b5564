/* Walsh-Hadamard transform: each bit in turn, whoever has it clear takes its partner along. */
void wht(int *a, int n)
{
    int log = 0;
    for (int m = n; m > 1; m >>= 1) log++;
    for (int i = 0; i < log; i++) {
        int bit = 1 << i;
        for (int j = 0; j < n; j++)
            if (!(j & bit)) {
                int x = a[j], y = a[j | bit];
                a[j] = x + y;
                a[j | bit] = x - y;
            }
    }
}
