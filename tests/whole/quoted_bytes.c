/* Marks what stands between double quotes, as a reader of records does it before it looks for separators. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void mark_quoted(const unsigned char *text, int len, unsigned char *inside, int *open_at_end)
{
    bool quoted = false;
    for (int i = 0; i < len; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        inside[i] = quoted;
    }
    *open_at_end = quoted;
}

int main(void)
{
    const char *s = "a,\"b,c\",d";
    unsigned char in[16];
    int open;
    mark_quoted((const unsigned char *)s, (int)strlen(s), in, &open);
    for (size_t i = 0; i < strlen(s); i++) putchar('0' + in[i]);
    printf(" %d\n", open);
    return 0;
}
