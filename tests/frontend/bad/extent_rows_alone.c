// expect: the extent of 'rows' cannot be read off the code
int extent_rows_alone(int **rows, int n, int *length)
{
    int longest = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (rows[i][k] != -1) k++;
        length[i] = k;
        if (k > longest) longest = k;
    }
    return longest;
}
