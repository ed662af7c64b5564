// A pointer that goes from row to row. want: parallel
#pragma regraph size(rows=300, len=40) extent(a: rows * len)
void shift_rows(unsigned long rows, unsigned long len, float *a)
{
    float *row = a;
    float *const end = a + rows * len;
    while (row < end) {
        for (unsigned long j = 0; j + 1 < len; j++) row[j] = row[j + 1];
        row += len;
    }
}
