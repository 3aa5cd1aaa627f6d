/** A journey in a browser at a width, or a browser that the machine hasn’t got. */
export type Outcome =
  | { browser: string; version: null }
  | { browser: string; version: string; journey: string; width: number; problem: string | null };

type Made = Extract<Outcome, { version: string }>;

const isMade = (outcome: Outcome): outcome is Made => outcome.version !== null;

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Journeys below each other, browsers and widths beside each other. */
export function formatReport(outcomes: readonly Outcome[]): string {
  const made = outcomes.filter(isMade);
  const columns = new Map(
    made.map(({ browser, version, width }) => [
      `${browser} ${width}`,
      `${browser} ${version}, ${width} px`,
    ]),
  );
  const missing = outcomes.filter((outcome) => !isMade(outcome)).map(({ browser }) => browser);
  const head = ['Journey', ...columns.values(), ...missing];
  const rows = [...new Set(made.map(({ journey }) => journey))].map((journey) =>
    row([
      journey,
      ...[...columns.keys()].map((column) => {
        const found = made.find(
          (one) => one.journey === journey && `${one.browser} ${one.width}` === column,
        );
        if (!found) return 'not tried';
        return found.problem === null ? 'works' : 'FAILED';
      }),
      ...missing.map(() => 'not tried'),
    ]),
  );
  const failures = made.flatMap(({ browser, width, journey, problem }) =>
    problem === null ? [] : [`FAILED ${browser} ${width}, ${journey}: ${problem}`],
  );
  const notHere = missing.map((browser) => `Not tried: ${browser} is not on this machine.`);
  return [row(head), row(head.map(() => '---')), ...rows, ...failures, ...notHere].join('\n');
}

/** Something was tried, all of it works, and every browser that must be here is. */
export function isGood(outcomes: readonly Outcome[], required: readonly string[]): boolean {
  const made = outcomes.filter(isMade);
  const tried = new Set(made.map(({ browser }) => browser));
  return (
    made.length > 0 &&
    made.every(({ problem }) => problem === null) &&
    required.every((browser) => tried.has(browser))
  );
}
