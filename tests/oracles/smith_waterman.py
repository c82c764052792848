"""Smith-Waterman by the recursion with gaps of every length, O(L³): nothing is carried over between cells."""


def gap(length, gap_open, gap_extend):
    return gap_open + (length - 1) * gap_extend if length else 0


def smith_waterman(s, t, score, gap_open, gap_extend):
    """Largest sum over increasing pairs: M[i][j] ends with the pair (i, j); p, q letters are left out before it."""
    M, best = {}, 0
    for i in range(len(s)):
        for j in range(len(t)):
            before = [0]
            for p in range(i):
                for q in range(j):
                    cost = gap(p, gap_open, gap_extend) + gap(q, gap_open, gap_extend)
                    before.append(M[i - 1 - p, j - 1 - q] - cost)
            M[i, j] = score(s[i], t[j]) + max(before)
            best = max(best, M[i, j])
    return best
