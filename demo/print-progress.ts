type Progress = { ready: number; total: number };

const STEPS = 10;
const LOOK_AGAIN_MS = 5_000;

/** A line for the first mix, for each tenth of them and for the last; null when nothing is new. */
export function describeProgress(told: number, { ready, total }: Progress): string | null {
  const step = (mixes: number) => Math.floor((mixes / total) * STEPS);
  if (ready >= total) return `Demo music: all ${total} mixes ready.`;
  const isNews = told === 0 ? ready > 0 : step(ready) > step(told);
  return isNews ? `Demo music: ${ready} of ${total} mixes ready.` : null;
}

type Options = { read(): Promise<Progress>; write(line: string): void };

/** Tells on the console how the music comes along, until all of it is there. Answers how to end it. */
export async function printProgress({ read, write }: Options): Promise<() => void> {
  const first = await read();
  if (first.ready >= first.total) return () => {};
  let told = first.ready;
  write(`Demo music: making ${first.total - first.ready} mixes, this week's first.`);
  const timer = setInterval(() => {
    read().then(
      (progress) => {
        const line = describeProgress(told, progress);
        if (!line) return;
        told = progress.ready;
        write(line);
        if (progress.ready >= progress.total) clearInterval(timer);
      },
      // The database is closing, or busy: the next look tells.
      () => {},
    );
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}
