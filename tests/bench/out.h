/* The results, as one JSON object on standard output. */
#ifndef BENCH_OUT_H
#define BENCH_OUT_H

#include "measure.h"

void out_begin(void);
/* Ends the object and says whether all of it could be written. */
bool out_end(void);

/* key NULL: a member of an array. */
void out_object(const char *key);
void out_array(const char *key);
void out_close_object(void);
void out_close_array(void);
void out_text(const char *key, const char *value);
void out_flag(const char *key, bool value);
void out_count(const char *key, size_t n);
/* Six digits say more than any clock knows. */
void out_number(const char *key, double value);
/* {"median":..,"low":..,"high":..} */
void out_summary(const char *key, summary s);

#endif
