static int find(const int *row, int c, int what)
{
    for (int j = 0; j < c; j++) if (row[j] == what) return j;
    return -1;
}
void lookup(int r, int c, const int *table, const int *want, int *out)
{
    for (int i = 0; i < r; i++) out[i] = find(table + i*c, c, want[i]);
}
