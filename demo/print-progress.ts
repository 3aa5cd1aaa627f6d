type Progress = { ready: number; total: number };

const STEPS = 10;
const CHECK_INTERVAL_MS = 5_000;

/** A line for the first mix, for every 10% and for the last; null in between. */
export function describeProgress(reported: number, { ready, total }: Progress): string | null {
  const step = (tracks: number) => Math.floor((tracks / total) * STEPS);
  if (ready >= total) return `Demo music: all ${total} mixes ready.`;
  const isNew = reported === 0 ? ready > 0 : step(ready) > step(reported);
  return isNew ? `Demo music: ${ready} of ${total} mixes ready.` : null;
}

type Options = { loadProgress(): Promise<Progress>; print(line: string): void };

/** Prints the progress of the demo music until all of it is ready. Returns a function that stops it. */
export async function printProgress({ loadProgress, print }: Options): Promise<() => void> {
  const first = await loadProgress();
  if (first.ready >= first.total) return () => {};
  let reported = first.ready;
  print(`Demo music: generating ${first.total - first.ready} mixes, this week’s first.`);
  const timer = setInterval(() => {
    loadProgress().then(
      (progress) => {
        const line = describeProgress(reported, progress);
        if (!line) return;
        reported = progress.ready;
        print(line);
        if (progress.ready >= progress.total) clearInterval(timer);
      },
      // The database is busy or closing; try again at the next interval.
      () => {},
    );
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
