export type KindResult = {
  statuses: Record<string, number>;
  p50: number;
  p99: number;
  max: number;
};

const MAX_UNEXPECTED = 20;

const OK = new Set([200, 201, 204, 206, 304]);
export const isOk = (status: number): boolean => OK.has(status);

/** The value that this share of them is below. */
export const findPercentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

export const summarise = (times: readonly number[]): Omit<KindResult, 'statuses'> => ({
  p50: findPercentile(times, 0.5),
  p99: findPercentile(times, 0.99),
  max: findPercentile(times, 1),
});

/** What was asked, what came back, and how long that took. */
export function createJournal<Kind extends string>() {
  const times = new Map<Kind, number[]>();
  const statuses = new Map<Kind, Record<string, number>>();
  const unexpected: string[] = [];
  const note = (kind: Kind, status: string) => {
    const counts = statuses.get(kind) ?? {};
    counts[status] = (counts[status] ?? 0) + 1;
    statuses.set(kind, counts);
  };
  return {
    add: (kind: Kind, status: number, ms: number) => {
      note(kind, String(status));
      // A refusal is quick and would make the others look quicker than they are.
      if (!isOk(status)) return;
      const known = times.get(kind);
      if (known) known.push(ms);
      else times.set(kind, [ms]);
    },
    complain: (kind: Kind, problem: string) => {
      note(kind, 'failed');
      if (unexpected.length < MAX_UNEXPECTED) unexpected.push(`${kind}: ${problem}`);
    },
    unexpected,
    describe: (kind: Kind): KindResult => ({
      statuses: statuses.get(kind) ?? {},
      ...summarise(times.get(kind) ?? []),
    }),
  };
}
