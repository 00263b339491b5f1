/*
 * What E-ACSL's translation calls, on the address sanitizer's shadow: memory is valid
 * that the sanitizer would let pass. So the rest of a program, which is not translated,
 * needs no instrumentation but the sanitizer's, and its blocks are known to the byte:
 * between any two of them is memory that is not valid.
 *
 * Not known is what may only be read, and what was written: __e_acsl_initialized
 * always says yes.
 */
#include <sanitizer/asan_interface.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* As in e_acsl.h of the translator's release. */
typedef struct assert_data {
    int blocking;
    const char *kind, *name, *text, *file, *function;
    int line;
    void *values;
} assert_data;

void __e_acsl_assert(int holds, assert_data *data);
int __e_acsl_valid(void *ptr, size_t size, void *base, void *addrof_base);
int __e_acsl_valid_read(void *ptr, size_t size, void *base, void *addrof_base);
int __e_acsl_initialized(void *ptr, size_t size);
int __e_acsl_separated(size_t count, ...);
void *__e_acsl_base_addr(void *ptr);

/* What the engine is told of registers where a machine is not known (registers.h): it
 * runs the loops of both answers, since what is left of the longer goes to the shorter. */
extern volatile int ndl_either;
volatile int ndl_either = 1;

void __e_acsl_assert(int holds, assert_data *data)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s does not hold in %s (%s:%d):\n\t%s%s%s\n",
            data->name ? data->name : "contract", data->kind, data->function, data->file,
            data->line, data->name ? data->name : "", data->name ? ": " : "", data->text);
    abort();
}

/* All from the block's pointer to the end of what is meant: in one block. */
static int whole(void *ptr, size_t size, void *base)
{
    uintptr_t from = (uintptr_t)ptr, to = from + size, start = (uintptr_t)base;
    if (size == 0)
        return 1;
    if (to < from)
        return 0;
    if (start < from && start != 0)
        from = start;
    if (start > to)
        to = start;
    return from != 0 && __asan_region_is_poisoned((void *)from, to - from) == NULL;
}

int __e_acsl_valid(void *ptr, size_t size, void *base, void *addrof_base)
{
    (void)addrof_base;
    return whole(ptr, size, base);
}

int __e_acsl_valid_read(void *ptr, size_t size, void *base, void *addrof_base)
{
    (void)addrof_base;
    return whole(ptr, size, base);
}

/* Of two blocks that are not known each is its own. */
void *__e_acsl_base_addr(void *ptr)
{
    char name[1];
    void *start = NULL;
    size_t size = 0;
    __asan_locate_address(ptr, name, sizeof name, &start, &size);
    return start ? start : ptr;
}

int __e_acsl_initialized(void *ptr, size_t size)
{
    (void)ptr;
    (void)size;
    return 1;
}

int __e_acsl_separated(size_t count, ...)
{
    enum { MOST = 16 };
    uintptr_t from[MOST];
    size_t size[MOST];
    va_list list;
    if (count > MOST)
        abort();
    va_start(list, count);
    for (size_t i = 0; i < count; i++) {
        from[i] = (uintptr_t)va_arg(list, void *);
        size[i] = va_arg(list, size_t);
    }
    va_end(list);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (size[i] && size[j] && from[i] < from[j] + size[j] && from[j] < from[i] + size[i])
                return 0;
        }
    }
    return 1;
}

/* The behaviors of a contract of which the assumptions hold. */
typedef struct contract {
    size_t n;
    int assumed[];
} contract;

contract *__e_acsl_contract_init(size_t n);
void __e_acsl_contract_clean(contract *c);
void __e_acsl_contract_set_behavior_assumes(contract *c, size_t i, int assumed);
int __e_acsl_contract_get_behavior_assumes(const contract *c, size_t i);
int __e_acsl_contract_partial_count_all_behaviors(const contract *c);

contract *__e_acsl_contract_init(size_t n)
{
    contract *c = calloc(1, sizeof *c + n * sizeof *c->assumed);
    if (!c)
        abort();
    c->n = n;
    return c;
}

void __e_acsl_contract_clean(contract *c)
{
    free(c);
}

void __e_acsl_contract_set_behavior_assumes(contract *c, size_t i, int assumed)
{
    c->assumed[i] = assumed;
}

int __e_acsl_contract_get_behavior_assumes(const contract *c, size_t i)
{
    return c->assumed[i];
}

/* 0, 1, or 2 for more: complete asks for one, disjoint for no two. */
int __e_acsl_contract_partial_count_all_behaviors(const contract *c)
{
    int count = 0;
    for (size_t i = 0; i < c->n && count < 2; i++)
        count += c->assumed[i] != 0;
    return count;
}
