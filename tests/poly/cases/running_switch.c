// A depth that a switch counts up and down, and the first place where it is below zero. want: parallel
long running_switch(const char *text, long len, int *depth, int *line)
{
    int d = 0, ln = 1;
    long bad = -1;
    for (long k = 0; k < len; k++) {
        depth[k] = d;
        line[k] = ln;
        switch (text[k]) {
        case '{':
            d++;
            break;
        case '}':
            d--;
            if (d < 0 && bad < 0) bad = k;
            break;
        case '\n':
            ln++;
            break;
        default:
            break;
        }
    }
    if (bad < 0 && d > 0) bad = len;
    return bad;
}
