// Conditions that store an element on their way: the store stands in front, and the condition reads what was stored. want: parallel
#pragma regraph size(n=20000) size(n=70) size(n=1)
struct mark { unsigned char kind; short at; };
static int kind_of(float x)
{
    if (x < 0.2f) return 300;
    return x > 0.7f ? 2 : 0;
}
int condition_stores(int n, const float x[n], unsigned char status[n], struct mark marks[n], float y[n])
{
    int bad = 0, less = 0;
    for (int i = 0; i < n; i++) {
        if ((status[i] = (unsigned char)kind_of(x[i])) != 0) bad++;
        if ((marks[i].at = (short)(i * 7)) > 100 && (marks[i].kind = (unsigned char)i) < 128) less++;
        y[i] = 1.0f;
        if (x[i] > 0.5f && (y[i] = x[i] * 2.0f) > 1.4f) less += 2;
    }
    return bad * 3 + less;
}
