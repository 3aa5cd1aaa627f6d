/** What became of one program. */
export type Result = {
  name: string;
  /** Null if it isn't on this machine. */
  version: string | null;
  /** What it needs and this machine hasn't. */
  missing: string[];
  passed: string[];
  failed: { what: string; problem: string }[];
  cannot: string;
};

const describe = ({ version, missing, passed, failed }: Result): string => {
  if (version === null) return 'not tried: it isn’t here';
  if (missing.length > 0) return `not tried: ${missing.join(', ')} missing`;
  return [...passed, ...failed.map(({ what }) => `FAILED: ${what}`)].join(', ');
};

/** A table for docs/clients.md, and below it why something failed. */
export const writeReport = (results: readonly Result[]): string =>
  [
    '| Program | Version | Tried | Can’t be tried |',
    '| --- | --- | --- | --- |',
    ...results.map(
      (result) =>
        `| ${result.name} | ${result.version ?? '–'} | ${describe(result)} | ${result.cannot} |`,
    ),
    ...results.flatMap(({ name, failed }) =>
      failed.map(({ what, problem }) => `FAILED ${name}, ${what}: ${problem}`),
    ),
  ].join('\n');

/** The programs that were asked for: all, or those that `--only` names. */
export function choose<T>(programs: Record<string, T>, only: readonly string[]): [string, T][] {
  const unknown = only.filter((name) => !Object.hasOwn(programs, name));
  if (unknown.length > 0)
    throw new Error(
      `No program ${unknown.join(', ')}. There are: ${Object.keys(programs).join(', ')}.`,
    );
  return Object.entries(programs).filter(([name]) => only.length === 0 || only.includes(name));
}
