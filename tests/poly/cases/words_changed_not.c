// What is done with a word changes what is a separator: the next one goes by that. want: sequential
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
int words_changed_not(char *s, int n)
{
    int k = 0, i = 0;
    while (i < n) {
        while (i < n && s[i] == ' ') i++;
        int start = i;
        while (i < n && s[i] != ' ') i++;
        if (i < n - 1 && i - start > 3) s[i + 1] = ' ';
        k++;
    }
    return k;
}
