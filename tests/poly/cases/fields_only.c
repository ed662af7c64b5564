// A structure behind a pointer of which integers alone are read: one, and of no extent that anybody had to say. want: parallel
#include <stdint.h>
struct balance { uint16_t gain, black; };
void fields_only(const uint16_t *raw, int n, const struct balance *b, uint8_t *out)
{
    for (int i = 0; i < n; i++) {
        int v = (raw[i] - b->black) * b->gain >> 8;
        out[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
