/* The exponential by MPFR: correctly rounded to binary32, subnormals too. */
#ifndef ORACLE_H
#define ORACLE_H

float oracle_expf(float x);

#endif
