# SPDX-License-Identifier: MIT
"""ISM's quantities written down directly in numpy, n x n matrices and all: F(W) = Tr(Gamma K(XW)) and Phi(W)."""
import numpy as np


def gamma(labels):
    Y = (np.asarray(labels)[:, None] == np.unique(labels)).astype(float)
    Y -= Y.mean(axis=0)
    return Y @ Y.T


def distances_squared(Z):
    norms = (Z * Z).sum(axis=1)
    D = np.maximum(norms[:, None] + norms - 2 * Z @ Z.T, 0)
    np.fill_diagonal(D, 0)
    return D


def gaussian(sigma):
    return "difference", lambda b: (np.exp(-b / (2 * sigma**2)), -np.exp(-b / (2 * sigma**2)) / (2 * sigma**2))


def polynomial(degree=3, offset=1, scale=1):
    return "dot", lambda b: ((scale * b + offset) ** degree, scale * degree * (scale * b + offset) ** (degree - 1))


def linear():
    return "dot", lambda b: (b, np.ones_like(b))


def squared():
    return "difference", lambda b: (-b, -np.ones_like(b))


def multiquadric(offset=1):
    return "difference", lambda b: (-np.sqrt(b + offset**2), -0.5 / np.sqrt(b + offset**2))


def rbf_relative(X, neighbours=7):
    """A sample's width is the distance to its nearest distinct point of that rank."""
    D = np.sqrt(distances_squared(X))
    unique, where = np.unique(X, axis=0, return_inverse=True)
    ranks = np.sort(np.sqrt(distances_squared(unique)), axis=1)
    widths = ranks[np.ravel(where), min(neighbours, len(unique) - 1)]
    assert D.shape[0] == len(widths)
    return gaussian(np.sqrt(np.outer(widths, widths)))


def sums(X, labels, W, terms):
    """(F, Phi) of a list of (weight, kernel)."""
    G, Z = gamma(labels), X @ W
    F, Phi = 0.0, np.zeros((X.shape[1], X.shape[1]))
    for weight, (form, kernel) in terms:
        f, slope = kernel(Z @ Z.T if form == "dot" else distances_squared(Z))
        Psi = G * slope
        F += weight * (G * f).sum()
        if form == "dot":
            Phi += weight * X.T @ Psi @ X
        else:
            Phi += weight * 2 * (X.T @ (Psi.sum(axis=1)[:, None] * X) - X.T @ Psi @ X)
    return F, (Phi + Phi.T) / 2


def residual(Phi, W):
    PhiW = Phi @ W
    return np.linalg.norm(PhiW - W @ (W.T @ PhiW)) / np.linalg.norm(Phi, 2)
