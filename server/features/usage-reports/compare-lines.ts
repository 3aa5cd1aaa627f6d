import type { UsageChange } from '#contract/admin/usage-reports.ts';
import { readCell, type LayoutColumn, type ReportFacts, type UsageLine } from './layouts.ts';

/** What identifies a line in its mix, from the surest to the weakest. */
const keys: ((line: UsageLine) => string | null)[] = [
  ({ recordingId, at }) => (recordingId && at !== null ? `${recordingId} ${at}` : null),
  ({ recordingId }) => recordingId,
  ({ performer, title, at }) => title && JSON.stringify([performer, title, at]),
  ({ performer, title }) => title && JSON.stringify([performer, title]),
  ({ at }) => (at === null ? null : String(at)),
  ({ position, line }) => (position === null ? line : `#${position}`),
];

const keyIn = ({ trackId, line }: UsageLine, key: string): string => `${trackId} ${line} ${key}`;

type Pair = { before: UsageLine; after: UsageLine };

/**
 * Which line was which: by its recording, else by its names, its time or its place. Each line is in
 * one pair at most.
 */
function pairLines(before: readonly UsageLine[], after: readonly UsageLine[]) {
  const left = new Set(before);
  const pairs = new Map<UsageLine, Pair>();
  for (const keyOf of keys) {
    const waiting = new Map<string, UsageLine[]>();
    for (const line of left) {
      const key = keyOf(line);
      if (key === null) continue;
      const place = keyIn(line, key);
      waiting.set(place, [...(waiting.get(place) ?? []), line]);
    }
    for (const line of after) {
      const key = pairs.has(line) ? null : keyOf(line);
      const found = key === null ? undefined : waiting.get(keyIn(line, key))?.shift();
      if (!found) continue;
      pairs.set(line, { before: found, after: line });
      left.delete(found);
    }
  }
  return { pairs, removed: before.filter((line) => left.has(line)) };
}

type Report = { facts: ReportFacts; lines: readonly UsageLine[] };

/** The place of an entry follows from the entries before it. */
const UNCOMPARED: readonly LayoutColumn['value'][] = ['position', 'from', 'to'];

const toText = (cell: string | number | null): string => (cell === null ? '' : String(cell));
const describe = ({ track, title }: UsageLine) => ({ track, title: title ?? '' });

/** What changed from one report of a period to the next, in the columns of the new one. */
export function* compareLines(
  before: Report,
  after: Report,
  columns: readonly LayoutColumn[],
): Generator<UsageChange> {
  const compared = columns.filter(({ value }) => !UNCOMPARED.includes(value));
  yield* compareTotals(before.facts, after.facts);
  const { pairs, removed } = pairLines(before.lines, after.lines);
  for (const line of after.lines) {
    const pair = pairs.get(line);
    if (!pair) yield { change: 'added', ...describe(line), column: '', before: '', after: '' };
    else
      for (const column of compared) {
        const was = toText(readCell(column, pair.before, before.facts));
        const is = toText(readCell(column, line, after.facts));
        if (was !== is && column.value !== 'territory')
          yield {
            change: 'changed',
            ...describe(line),
            column: column.header,
            before: was,
            after: is,
          };
      }
  }
  for (const line of removed)
    yield { change: 'removed', ...describe(line), column: '', before: '', after: '' };
}

function* compareTotals(before: ReportFacts, after: ReportFacts): Generator<UsageChange> {
  const total = { change: 'changed', track: 'Total', title: '' } as const;
  if (before.territory !== after.territory)
    yield { ...total, column: 'Territory', before: before.territory, after: after.territory };
  if (before.revenue !== after.revenue)
    yield {
      ...total,
      column: 'Revenue of the period',
      before: (before.revenue / 100).toFixed(2),
      after: (after.revenue / 100).toFixed(2),
    };
}
