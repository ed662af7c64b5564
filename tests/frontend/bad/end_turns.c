// expect: the extent of
/* one pointer goes along two arrays by turns: nothing says which of the ends is whose */
float turns(const float *a, const float *a_end, const float *b, const float *b_end)
{
    float s = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (; a != a_end; ++a) s += *a;
        a = b;
        a_end = b_end;
    }
    return s;
}
