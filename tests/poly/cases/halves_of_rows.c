// An element of sparse rows is looked for between row[i] and row[i + 1] by halves: as far as the starts lead. want: parallel
void diagonal(int n, const int *row, const int *col, const double *val, double *sum, double *diag)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) s += val[k];
        sum[i] = s;
    }
    for (int i = 0; i < n; i++) {
        int lo = row[i], hi = row[i + 1] - 1, at = -1;
        while (lo <= hi) {
            int mid = (lo + hi) / 2;
            if (col[mid] == i) {
                at = mid;
                break;
            }
            if (col[mid] < i)
                lo = mid + 1;
            else
                hi = mid - 1;
        }
        diag[i] = at >= 0 ? val[at] : 0;
    }
}
