// The smallest element of a table and where it is: two places, one flag. want: parallel
#pragma regraph size(rows=200,cols=300) size(rows=1,cols=1) size(rows=30,cols=7) input(t: uniform(0, 99))
int smallest(int rows, int cols, const int t[rows][cols], int *row, int *col)
{
    int best = 0, seen = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (!seen || t[i][j] < best) {
                best = t[i][j];
                *row = i;
                *col = j;
                seen = 1;
            }
    return best;
}
