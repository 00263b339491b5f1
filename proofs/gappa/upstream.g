# The error of the quantiser to 8 bits in the profile upstream, absmax A from 00003E44 up
# to FLT_MAX, but for the one at 00003EC1: what fake quantisation gives for x differs from
# x by at most 0.500016 scales. See chapter 6, "The error".
#
# Gappa takes one statement at a time; ../gappa.py gives it each of these.
#
# Claims: QNT_008

@rnd = float<ieee_32, ne>;
A = rnd(A_);
x = rnd(x_);
s rnd= A / 127;
p rnd= x / s;
c = fixed<0, ne>(p);     # to an integer, halves to even
q rnd= c * s;

# The scale, subnormal or not, is one of those below, and no element is more than 127.51 of them.
{ A in [0x3e44p-149, 1b-117]
  -> s in [124b-149, 1b122] /\ A / s <= 127.51 }
{ A in [1b-119, 0x1.fffffep127]
  -> s in [124b-149, 1b122] /\ A / s <= 127.51 }
# An element whose code is not 0; an element has one of 0 if p is not above a half.
{ s in [124b-149, 1b122] /\ |x / s| in [1b-10, 127.51] /\ |c| in [1, 128]
  -> |(q - x) / s| <= 0.500016 }
# Of an element whose code is 0 nothing is left: the error is the element,
{ s in [124b-149, 1b122] /\ |x / s| in [1b-10, 127.51] /\ |p| <= 0.5
  -> |x / s| <= 0.500016 }
# if it is that small the code is 0.
{ s in [124b-149, 1b122] /\ |x / s| <= 1b-10
  -> |p| <= 0.25 }

A / s -> 127 * (1 - (s - A / 127) / s) { s <> 0 };
A / s -> 127 / (1 + (s - A / 127) / (A / 127)) { A <> 0, s <> 0 };
(q - x) / s -> (c - p) + c * ((q - c * s) / (c * s)) + (x / s) * ((p - x / s) / (x / s))
  { s <> 0, c * s <> 0, x / s <> 0 };
x / s -> p / (1 + (p - x / s) / (x / s)) { s <> 0, x / s <> 0, 1 + (p - x / s) / (x / s) <> 0 };
