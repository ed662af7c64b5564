/* For each row of the table: how many ways to place the remaining queens, with the first ones given. */
#define N 8
static int place(const int *col, int k, int row)
{
    for (int r = 0; r < row; r++) {
        int d = col[r] - k;
        if (d == 0 || d == row - r || d == r - row) return 0;
    }
    return 1;
}
static int solve(int *col, int row)
{
    if (row == N) return 1;
    int count = 0;
    for (int k = 0; k < N; k++)
        if (place(col, k, row)) {
            col[row] = k;
            count += solve(col, row + 1);
        }
    return count;
}
void count_boards(int n, const int start[n], int ways[n])
{
    for (int i = 0; i < n; i++) {
        int col[N];
        int s = start[i] & 63;
        col[0] = s & 7;
        col[1] = s >> 3;
        ways[i] = place(col, col[1], 1) ? solve(col, 2) : 0;
    }
}
