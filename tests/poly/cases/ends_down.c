// The parameter that is the end walks down to the other, and is read on the way. want: parallel
void ends_down(const float *first, const float *last, float *out)
{
    while (last != first) *out++ = *--last * 2;
}
