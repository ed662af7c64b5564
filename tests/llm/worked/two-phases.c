/* A sum: what the worked example of the prompts solves. */
float sum(int n, const float *x)
{
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
#pragma regraph size(n=1000000)
