// Where a file of the engine has something to mutate: a line of output for each place.
// mechanical.py says what becomes of it. Columns count from 0; what is a range has its
// first place and the one behind its last.

@infix@
binary operator op;
expression x, y;
position p;
@@
x op@p y

@script:python@
p << infix.p;
op << infix.op;
@@
print("operator", p[0].line, p[0].column, op)

@assigned@
assignment operator op;
expression x, y;
position p;
@@
x op@p y

@script:python@
p << assigned.p;
op << assigned.op;
@@
print("operator", p[0].line, p[0].column, op)

@negated@
expression x;
position p;
@@
!@p x

@script:python@
p << negated.p;
@@
print("operator", p[0].line, p[0].column, "!")

@number@
constant c;
position p;
@@
c@p

@script:python@
p << number.p;
c << number.c;
@@
print("constant", p[0].line, p[0].column, c)

@simple@
expression e;
position p;
@@
e@p;

@script:python@
p << simple.p;
@@
print("statement", p[0].line, p[0].column, p[0].line_end, p[0].column_end)

@jump@
position p;
@@
(
return@p ...;
|
break@p;
|
continue@p;
)

@script:python@
p << jump.p;
@@
print("jump", p[0].line, p[0].column)

@call@
expression f, x, y;
expression list[n] before;
position p, q;
@@
f(before, x@p, y@q, ...)

@script:python@
p << call.p;
q << call.q;
@@
print("swap", p[0].line, p[0].column, p[0].line_end, p[0].column_end,
      q[0].line, q[0].column, q[0].line_end, q[0].column_end)
