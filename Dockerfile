# Kernex in a container that is not root and writes nowhere but in /tmp and /kept: docs/deploy.md
FROM python:3.13-slim AS made
WORKDIR /src
COPY . .
RUN python3 -m venv /opt/kernex
RUN /opt/kernex/bin/pip install --no-cache-dir .
# loops are compiled for the processor that builds the image; not here, where the source would be found in place of what is installed
WORKDIR /
RUN NUMBA_CACHE_DIR=/opt/kernex/loops /opt/kernex/bin/python -m kernex_core.studies.loops

FROM python:3.13-slim
COPY --from=made /opt/kernex /opt/kernex
RUN useradd --system --no-create-home kernex && install -d -m 700 -o kernex /kept
USER kernex
ENV PATH=/opt/kernex/bin:$PATH HOME=/tmp NUMBA_CACHE_DIR=/tmp/loops
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_kernex/health')"]
# Numba takes loops only from a folder that it may write
ENTRYPOINT ["sh", "-c", "cp -R /opt/kernex/loops /tmp && exec kernex --address 0.0.0.0 --port 8501 \"$@\"", "kernex"]
