const MB = 1024 ** 2;
const CHECK_MS = 2_000;
/** The share of a processor that a quiet process uses. */
const QUIET = 0.1;
/** Less isn't worth a pause. */
const WORTH_BYTES = 8 * MB;

export type MemoryParts = {
  /** The share of a processor that this process has used since the last call. */
  readLoad: () => number;
  readMemory: () => number;
  release: () => Promise<void>;
};

/**
 * Decides when to give memory back: while nobody has to wait for it, if the process has grown since
 * the last time. The engine keeps what it once needed otherwise: a start needs twice what stays.
 */
export function createMemoryCheck({ readLoad, readMemory, release }: MemoryParts) {
  let smallest = 0;
  let isReleased = false;
  return async (): Promise<void> => {
    const isQuiet = readLoad() < QUIET;
    // The system takes it back a little later.
    if (isReleased) smallest = readMemory();
    isReleased = false;
    if (!isQuiet || readMemory() < smallest + WORTH_BYTES) return;
    await release();
    isReleased = true;
  };
}

function createLoadReader(): () => number {
  let [used, at] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    const now = performance.now();
    const share = (user + system) / 1000 / (now - at);
    [used, at] = [process.cpuUsage(), now];
    return share;
  };
}

/** Frees what is unused, also the room for new objects, which the collector never shrinks by itself. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  // Not within its own answer.
  setImmediate(() => session.disconnect());
}

/** Keeps the process small for as long as it runs. */
export function releaseUnusedMemory(): void {
  const check = createMemoryCheck({
    readLoad: createLoadReader(),
    readMemory: () => process.memoryUsage.rss(),
    release: collectGarbage,
  });
  const timer = setInterval(() => {
    // It is no more than a service: a Node without an inspector stays larger.
    check().catch(() => clearInterval(timer));
  }, CHECK_MS);
  timer.unref();
}
