// want: parallel
/* Where a loop starts at a parameter and ends so far behind it, that may be 0: places, photons, rows of a part. */
#pragma regraph size(first=0,count=5000) size(first=7,count=90) size(first=0,count=1)
void part_scale(long first, long count, const float *restrict x, float *restrict y)
{
    for (long i = first; i < first + count; i++) y[i] = 2.0f * x[i] + 1.0f;
}
