"""What solvers are given: no motion excluded, matrices in blocks."""

import numpy as np
import scipy.sparse as sp

from pliant.solvers import Complement


def nothing(n):
    """No motion excluded."""
    return Complement.of(np.zeros((n, 0)), np.ones(n))


def bsr(A, dim=2):
    return sp.bsr_matrix(A, blocksize=(dim, dim))
