// The other parameter points to the last element, not behind it. want: parallel
void ends_inclusive(double *lo, double *hi)
{
    for (double *p = lo; p <= hi; ++p) *p = *p / 2 + 1;
}
