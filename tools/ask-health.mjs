/** The health check of a container: fails unless the site answers. */
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`);
process.exitCode = ok ? 0 : 1;
