# The agent as an image of one static file:
#   docker build -f docker/agent.Dockerfile -t fsyncmark-agent .
#   docker run --rm -v /data:/data fsyncmark-agent run /data --suite quick
FROM rust:1.95-slim-bookworm AS build
ARG FSYNCMARK_COMMIT=""
WORKDIR /src
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN rustup target add "$(uname -m)-unknown-linux-musl"
COPY agent agent
COPY apps/wire apps/wire
COPY rust-toolchain.toml rust-toolchain.toml
RUN target="$(uname -m)-unknown-linux-musl" \
    && export "CC_${target//-/_}=gcc" FSYNCMARK_COMMIT RUSTUP_TOOLCHAIN=1.95.0 \
    && export RUSTFLAGS="--remap-path-prefix=/src=/fsyncmark -Cllvm-args=-inline-threshold=5" \
    && cargo build --manifest-path agent/Cargo.toml --release --locked --bin fsyncmark --target "$target" \
    && cp "agent/target/$target/release/fsyncmark" /fsyncmark

FROM scratch
COPY --from=build /fsyncmark /fsyncmark
# a number, since there is no /etc/passwd; --user lets it write to a directory of yours
USER 65532:65532
ENTRYPOINT ["/fsyncmark"]
