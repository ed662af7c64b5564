// Rounds up to the whole length: the last one pairs elements of one row with the next row's. want: sequential
#pragma regraph size(rows=40, len=64) extent(a: rows * len + len)
void over(int rows, int len, float *a)
{
    for (int r = 0; r < rows; r++) {
        float *row = a + r * len;
        for (int half = 1; half <= len; half *= 2)
            for (int base = 0; base < len; base += 2 * half)
                for (int j = base; j < base + half; j++) {
                    float u = row[j], v = row[j + half];
                    row[j] = u + v;
                    row[j + half] = u - v;
                }
    }
}
