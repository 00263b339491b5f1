# The error of the quantiser to 8 bits in the profile needle-core, absmax A from 02FE0004
# up to FLT_MAX: what fake quantisation gives for x differs from x by at most 0.500023
# scales. Each rounding of the chain is one of binary32, subnormal numbers among them; no
# number overflows there. See chapter 6, "The error".
#
# Gappa takes one statement at a time; ../gappa.py gives it each of these.
#
# Claims: QNT_005

@rnd = float<ieee_32, ne>;
A = rnd(A_);
x = rnd(x_);
s rnd= A / 127;
r rnd= 1 / s;            # the reciprocal
p rnd= x * r;
c = fixed<0, na>(p);     # to an integer, halves away from zero
q rnd= c * s;

# The scale, subnormal or not, is one of those below, and no element is more than 127.00004 of them.
{ A in [0x1.fc0008p-122, 1b-117]
  -> s in [1b-128, 1b122] /\ A / s <= 127.00004 }
{ A in [1b-119, 0x1.fffffep127]
  -> s in [1b-128, 1b122] /\ A / s <= 127.00004 }
# An element whose code is not 0; an element has one of 0 if p is less than a half.
{ s in [1b-128, 1b122] /\ |x / s| in [1b-10, 127.00004] /\ |c| in [1, 127]
  -> |(q - x) / s| <= 0.500023 }
# Of an element whose code is 0 nothing is left: the error is the element,
{ s in [1b-128, 1b122] /\ |x / s| in [1b-10, 127.00004] /\ |p| <= 0.5
  -> |x / s| <= 0.500023 }
# if it is that small the code is 0.
{ s in [1b-128, 1b122] /\ |x / s| <= 1b-10
  -> |p| <= 0.25 }

A / s -> 127 * (1 - (s - A / 127) / s) { s <> 0 };
A / s -> 127 / (1 + (s - A / 127) / (A / 127)) { A <> 0, s <> 0 };
x * r -> (x / s) * (1 + (r - 1 / s) / (1 / s)) { s <> 0 };
(q - x) / s -> (c - p) + c * ((q - c * s) / (c * s))
    + (x / s) * ((1 + (r - 1 / s) / (1 / s)) * (1 + (p - x * r) / (x * r)) - 1)
  { s <> 0, c * s <> 0, x * r <> 0 };
x / s -> p / ((1 + (r - 1 / s) / (1 / s)) * (1 + (p - x * r) / (x * r)))
  { s <> 0, x * r <> 0, 1 + (r - 1 / s) / (1 / s) <> 0, 1 + (p - x * r) / (x * r) <> 0 };
