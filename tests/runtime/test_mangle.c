#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <rg/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mangled names as nvcc 13.0 (-arch=sm_90) gave them for the declarations in the comments' words. */
static const struct {
    const char *lowered, *params;
} good[] = {
    {"_Z5saxpyifPKfPf", "int, float, const float*, float*"},
    {"_Z4statPfPKf", "float*, const float*"},
    {"_Z5noparv", ""},
    {"_Z5restriPKfPfS0_", "int, const float*, float*, const float*"},
    {"_Z3allbcahstijlmxyfd", "_Bool, char, signed char, unsigned char, short, unsigned short, int, unsigned int, long, "
                             "unsigned long, long long, unsigned long long, float, double"},
    {"_Z4pallPbPcPaPhPsPtPiPjPlPmPxPyPfPdPvPKvml",
     "_Bool*, char*, signed char*, unsigned char*, short*, unsigned short*, int*, unsigned int*, long*, unsigned "
     "long*, "
     "long long*, unsigned long long*, float*, double*, void*, const void*, unsigned long, long"},
    {"_Z5halfsP6__halfPKS_S_S2_P7__half2P13__nv_bfloat16",
     "_Float16*, const _Float16*, _Float16, const _Float16*, __half2*, __nv_bfloat16*"},
    {"_Z7structsP4bodyPKS_S_P6anon_tS3_5colorPS5_", "body*, const body*, body, anon_t*, anon_t, color, color*"},
    {"_Z4vecsP6float4PKS_4int2PK7double25uint34dim3", "float4*, const float4*, int2, const double2*, uint3, dim3"},
    {"_Z3volPViPVKfS0_", "int*, const float*, int*"},
    {"_Z3arrPA32_fPA32_KfS0_Pi", "float*, const float*, float*, int*"},
    {"_Z3vlaPA16_Kfi", "const float*, int"},
    {"_Z4nestPN5OuterIfE5InnerEPKS1_PS0_", "Outer<...>::Inner*, const Outer<...>::Inner*, Outer<...>*"},
    {"_Z4manyPKfPKdPKiS0_S2_S4_PfS5_PdPiPKjPjPKsPsPKcPcPKlSI_PlSJ_PK4bodySM_PSK_SN_",
     "const float*, const double*, const int*, const float*, const double*, const int*, float*, float*, double*, int*, "
     "const unsigned int*, unsigned int*, const short*, short*, const char*, char*, const long*, const long*, long*, "
     "long*, const body*, const body*, body*, body*"},
    {"_Z2ttIdEvPT_PKS0_S0_", "double*, const double*, double"},
    {"_Z2mmILi16EEviPKfS1_Pf", "int, const float*, const float*, float*"},
    {"_Z2mmILin3EEviPKfS1_Pf", "int, const float*, const float*, float*"},
    {"_Z2ttI4bodyEvPT_PKS1_S1_", "body*, const body*, body"},
    {"_Z2ttI6__halfEvPT_PKS1_S1_", "_Float16*, const _Float16*, _Float16"},
    {"_Z3tnbIfLi8ELb1EEvPT_PKS0_S3_i", "float*, const float*, const float*, int"},
    {"_Z3twoIfdEvPT_PKT0_PS2_S0_", "float*, const double*, double*, float"},
    {"_Z3twoI4bodyiEvPT_PKT0_PS3_S1_", "body*, const int*, int*, body"},
    {"_Z4litsILj4ELxn5ELc99ELm100EEvPf", "float*"},
    {"_Z3defILi7EfEvPT0_PAT__S0_", "float*, float*"},
    {"_Z2enIL5color0EEvPf", "float*"},
    {"_Z4ptrTIPKfEvT_S2_", "const float*, const float*"},
    {"_Z4ptrTIP4bodyEvT_S2_", "body*, body*"},
    {"_Z4packIJiPfPKfEEvS0_DpT_", "float*, int, float*, const float*"},
    {"_Z4packIJEEvPfDpT_", "float*"},
    {"_Z4funcI2OpEvT_Pf", "Op, float*"},
    {"_Z3depIfEvPN2TrIT_E4typeES1_", "Tr<...>::type*, float"},
    {"_Z4declILi4EEvPfPAplT_Li1E_i", "float*, int*"},
    {"_Z3ttpIN2ns1VEfEvPT_IT0_E", "void*"},
    {"_Z5ipackIJLi1ELi2ELi3EEEvPf", "float*"},
    {"_Z4fptrIXadL_Z3devfEEEvPf", "float*"},
    {"_Z2lbILi3EEvPKiPKfS3_Pf", "const int*, const float*, const float*, float*"},
    {"_ZN2ns1kEPNS_1pEPKS0_f", "ns::p*, const ns::p*, float"},
    {"_ZN2ns2tvEPNS_1VIfEEPKS1_NS0_IiEE", "ns::V<...>*, const ns::V<...>*, ns::V<...>"},
    {"_ZN2ns1tILi4EEEvPfPAT__Kf", "float*, const float*"},
    {"_ZN2ns2in4deepEPiPKNS_1pEPS2_", "int*, const ns::p*, ns::p*"},
    {"_ZN36_GLOBAL__N__c8907331_4_a_cu_761d5d565anonkEPf", "float*"},
    {"_ZL1kPf", "float*"},
    {"_Z1krPf", "float* restrict"}, /* a compiler that mangles a parameter's own qualifier */
};

static char *print(const struct rg_kernel_sig *s)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < s->n_params; i++) {
        const struct rg_kernel_param *p = &s->params[i];
        rg_buf_printf(&b, "%s%s%s%s%s", i ? ", " : "", p->is_const ? "const " : "",
                      p->struct_name ? p->struct_name : rg_scalar_c(p->type), p->pointer ? "*" : "",
                      p->is_restrict ? " restrict" : "");
        assert_int_equal(p->type == RG_STRUCT, p->struct_name != NULL);
    }
    return rg_buf_steal(&b);
}

static void reads_what_compilers_write(void **state)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_kernel_sig s;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_kernel_sig_parse(&a, "k", good[i].lowered, &s, &err) != RG_OK)
            fail_msg("%s: %s", good[i].lowered, err.text);
        char *text = print(&s);
        if (strcmp(text, good[i].params)) fail_msg("%s: read %s", good[i].lowered, text);
        free(text);
        rg_arena_release(&a);
    }
}

/* Kernels with random signatures, compiled by nvcc: lowered name, tab, parameters. */
static void reads_random_kernels(void **state)
{
    char path[512], line[4096];
    int n = 0;
    snprintf(path, sizeof path, "%.*smangled.txt", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); n++) {
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_kernel_sig s;
        struct rg_error err = RG_ERROR_INIT;
        line[strcspn(line, "\n")] = 0;
        char *params = strchr(line, '\t');
        assert_non_null(params);
        *params++ = 0;
        if (rg_kernel_sig_parse(&a, "k", line, &s, &err) != RG_OK) fail_msg("%s: %s", line, err.text);
        char *text = print(&s);
        if (strcmp(text, params)) fail_msg("%s: read %s, not %s", line, text, params);
        free(text);
        rg_arena_release(&a);
    }
    fclose(file);
    assert_int_equal(n, 160);
}

static void refuses(void **state)
{
    static const char *const bad[][2] = {
        {"saxpy", "extern \"C\""},
        {"_Z2ppPPfPKPKfPKS_", "pointer to a pointer"},
        {"_Z2fnPFffiEiPFvPfE", "function pointer"},
        {"_Z1kRKf", "reference"},
        {"_Z", "can't be read"},
        {"_Z5sax", "can't be read"},
        {"_Z5saxpyS9_", "can't be read"},
        {"_Z5saxpyif$", "can't be read"},
        {"_Z1kPT_", "can't be read"},
        {"_Z1kIT_EvT_", "can't be read"}, /* T_ defined as itself */
        {"_Z1fIiEvDpT_", "pack"},
        {"_ZN1k", "can't be read"},
        {"_Z99999999999999999999k", "can't be read"},
        {"_Z1kI", "can't be read"},
        {"_Z1kILi3", "can't be read"},
        {"_Z1kA_", "can't be read"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_kernel_sig s;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_kernel_sig_parse(&a, "kern", bad[i][0], &s, &err) != RG_INPUT) fail_msg("accepted %s", bad[i][0]);
        if (!strstr(err.text, bad[i][1]) || !strstr(err.text, "'kern'")) fail_msg("%s: %s", bad[i][0], err.text);
        assert_int_equal(rg_kernel_sig_parse(&a, "kern", bad[i][0], &s, NULL), RG_INPUT);
        rg_arena_release(&a);
    }
}

static void bounded(void **state)
{
    static const char *const unit[] = {"P",  "PK", "N", "I", "A",  "F",   "X",   "J",
                                       "T_", "Dp", "Z", "L", "Dt", "NS_", "1aI", "C"};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        for (int n = 10; n <= 20000; n *= 10) {
            struct rg_arena a = RG_ARENA_INIT;
            struct rg_buf b = RG_BUF_INIT;
            struct rg_kernel_sig s;
            rg_buf_str(&b, "_Z1k");
            for (int k = 0; k < n; k++) rg_buf_str(&b, unit[i]);
            assert_int_equal(rg_kernel_sig_parse(&a, "k", b.data, &s, NULL), RG_INPUT);
            rg_buf_release(&b);
            rg_arena_release(&a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_compilers_write),
        cmocka_unit_test(reads_random_kernels),
        cmocka_unit_test(refuses),
        cmocka_unit_test(bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
