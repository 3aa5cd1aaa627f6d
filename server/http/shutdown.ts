type End = () => Promise<void>;

/** What a start has begun and somebody has to end, also when a later step fails; the last first. */
export function createEndings(): { add: (end: End) => void; endAll: End } {
  const ends: End[] = [];
  return {
    add: (end) => ends.push(end),
    endAll: async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    },
  };
}

type SignalSource = Pick<NodeJS.Process, 'on' | 'exit' | 'ppid'>;

const PARENT_CHECK_MS = 1000;

/**
 * The first signal lets everything under way end; the second one does not wait. Exits with 0 when
 * all ended well. npm signals the shell that it runs a script with, and many shells end without a
 * word to the script: there the end of the parent is the signal.
 */
export function stopOnSignals(
  source: SignalSource,
  stop: () => Promise<void>,
  report: (error: unknown) => void,
  { endsWithParent }: { endsWithParent: boolean },
) {
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) source.exit(1);
    isStopping = true;
    stop().then(
      () => source.exit(0),
      (error: unknown) => {
        report(error);
        source.exit(1);
      },
    );
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
  if (!endsWithParent) return;
  const parent = source.ppid;
  setInterval(() => {
    if (source.ppid !== parent && !isStopping) onSignal();
  }, PARENT_CHECK_MS).unref();
}
