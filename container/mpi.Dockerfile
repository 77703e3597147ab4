# SPDX-License-Identifier: MIT
# The program with its module for mpirun:
#   docker build --file container/mpi.Dockerfile --tag ritz-mpi .
#   docker run --rm --volume "$PWD":/data ritz-mpi mpirun --allow-run-as-root --oversubscribe -np 2 ritz reduce x.npy --labels y.npy --dim 2
# Under Slurm with Apptainer, an image made of it runs as `srun --mpi=pmix apptainer exec ritz-mpi.sif ritz reduce …`.
FROM debian:12-slim AS build
COPY . /source
WORKDIR /source
RUN ./run setup && apt-get install --yes --no-install-recommends libopenmpi-dev openmpi-bin \
    && cmake --preset release -D RITZ_MPI=ON && ./run build && cmake --build build/release --target ritz_mpi \
    && cmake --install build/release --prefix /opt/ritz --strip

FROM debian:12-slim
RUN apt-get update && apt-get install --yes --no-install-recommends \
      libgomp1 libopenblas0-pthread liblapacke libsvm3 liblbfgsb0 libfmt9 zlib1g openmpi-bin && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/ritz /usr/local
WORKDIR /data
CMD ["ritz", "--help"]
