// Binary searches between pointers that start at the first and the end of a table. want: parallel
void ends_halved(const double *tab, const double *tab_end, const double *q, const double *q_end, long *out)
{
    while (q != q_end) {
        const double *lo = tab, *hi = tab_end;
        while (lo < hi) {
            const double *mid = lo + (hi - lo) / 2;
            if (*mid < *q)
                lo = mid + 1;
            else
                hi = mid;
        }
        *out++ = lo - tab;
        ++q;
    }
}
