const THREADS = 10;

/**
 * Node reads files, hashes passwords, compresses and draws on one pool of threads, four by default. At
 * most two passwords are hashed, two pictures drawn and two answers compressed at a time, so four
 * threads are always left for audio. Call it first: the pool starts with its first use.
 */
export function setThreadCount() {
  // oxlint-disable-next-line node/no-process-env -- Read by Node itself. Someone may have chosen more.
  process.env.UV_THREADPOOL_SIZE ??= String(THREADS);
}
