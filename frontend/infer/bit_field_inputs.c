/* Inputs for the bytes that bit-fields lie in: all their bits, up to the highest. */
#include "frontend/infer/infer.h"

void rg__bit_field_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        if (q->elem != RG_STRUCT || q->struct_index < 0 || q->role == RG_ROLE_OUT) continue;
        if (q->input.kind != RG_INPUT_DEFAULT) continue;
        const struct rg_struct *s = &p->structs[q->struct_index];
        for (int f = 0; f < s->n_fields; f++) {
            const int bits = s->fields[f].bits;
            if (!bits) continue;
            struct rg_input in;
            struct rg__directive d = {.name = q->name, .file = "", .option = true};
            /* others above a gap: the gap is filled, too, which nobody reads */
            d.text = rg_arena_printf(&p->arena, "uniform(0, %d)", (2 << (31 - __builtin_clz((unsigned)bits))) - 1);
            if (rg__parse_input(&p->arena, &d, &in, NULL) == RG_OK) *rg__member_input(p, q, s->fields[f].path) = in;
        }
    }
}
