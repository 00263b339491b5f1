# Proofs: filled in by proofs/.
