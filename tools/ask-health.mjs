/**
 * The health check of a container: fails unless the site answers in time. It has a limit of its own,
 * because Podman waits for a check that doesn't end.
 */
const LIMIT_MS = 4000;

const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`, {
  signal: AbortSignal.timeout(LIMIT_MS),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
