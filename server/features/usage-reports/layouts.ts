import type { HeardKind, ReportLayout } from '#contract/admin/usage-reports.ts';
import type { CsvTable } from '../../http/send/csv.ts';

/** How often something was played and how long it was heard; null where nobody knows. */
type LineHeard = { plays: number | null; seconds: number | null };

/**
 * A line of a report. `outside` is what was heard of a mix and belongs to none of its entries, which
 * adds no plays: its sum with the entries is all that was heard.
 */
export type UsageLine = {
  line: 'entry' | 'no-tracklist' | 'outside';
  trackId: string;
  recordingId: string | null;
  track: string;
  /** The day it came out. */
  released: string | null;
  /** The entry's place in the tracklist, from 1, and the second at which it starts. */
  position: number | null;
  at: number | null;
  title: string | null;
  version: string | null;
  performer: string | null;
  composer: string | null;
  publisher: string | null;
  label: string | null;
  isrc: string | null;
  iswc: string | null;
  isOwn: boolean;
  heard: Record<HeardKind, LineHeard>;
};

/** What is the same for all lines. */
export type ReportFacts = {
  from: string;
  to: string;
  territory: string;
  currency: string;
  /** Cents, as the operator confirmed them. */
  revenue: number;
};

type Cell = string | number | null;
type ReadCell = (line: UsageLine, facts: ReportFacts) => Cell;

const heard =
  (measure: keyof LineHeard, ...kinds: HeardKind[]): ReadCell =>
  (line) =>
    kinds.reduce<number | null>((sum, kind) => {
      const more = line.heard[kind][measure];
      return sum === null || more === null ? null : sum + more;
    }, 0);

const lineNames: Record<UsageLine['line'], string> = {
  entry: 'Entry',
  'no-tracklist': 'Mix without a tracklist',
  outside: 'In no known entry',
};

/** What the last line adds up. */
const sums = {
  plays: heard('plays', 'full'),
  seconds: heard('seconds', 'full'),
  previewPlays: heard('plays', 'preview'),
  previewSeconds: heard('seconds', 'preview'),
  appPlays: heard('plays', 'subsonic'),
  appSeconds: heard('seconds', 'subsonic'),
  podcastPlays: heard('plays', 'podcast'),
  estimatedPlays: heard('plays', 'subsonic', 'podcast'),
};

/** Same in every line, and in the last one. */
const facts = {
  from: (_line, { from }) => from,
  to: (_line, { to }) => to,
  territory: (_line, { territory }) => territory,
} satisfies Record<string, ReadCell>;

const values = {
  ...sums,
  ...facts,
  line: ({ line }) => lineNames[line],
  track: ({ track }) => track,
  released: ({ released }) => released,
  position: ({ position }) => position,
  at: ({ at }) => at,
  title: ({ title }) => title,
  version: ({ version }) => version,
  performer: ({ performer }) => performer,
  composer: ({ composer }) => composer,
  publisher: ({ publisher }) => publisher,
  label: ({ label }) => label,
  isrc: ({ isrc }) => isrc,
  iswc: ({ iswc }) => iswc,
  own: ({ line, isOwn }) => (line === 'entry' ? (isOwn ? 'Yes' : 'No') : null),
  // Only in the last line, so that nobody adds them up.
  currency: () => null,
  revenue: () => null,
} satisfies Record<string, ReadCell>;

export type LayoutColumn = { header: string; value: keyof typeof values };

/**
 * The columns of each layout; docs/guide/rights.md says where they come from. A report keeps the
 * columns that it was made with, so a change here changes new reports only.
 */
export const layouts: Record<ReportLayout, readonly LayoutColumn[]> = {
  general: [
    { header: 'Line', value: 'line' },
    { header: 'Mix', value: 'track' },
    { header: 'Released', value: 'released' },
    { header: 'Position', value: 'position' },
    { header: 'Starts at second', value: 'at' },
    { header: 'Title', value: 'title' },
    { header: 'Version', value: 'version' },
    { header: 'Performer', value: 'performer' },
    { header: 'Composer', value: 'composer' },
    { header: 'Publisher', value: 'publisher' },
    { header: 'Label', value: 'label' },
    { header: 'ISRC', value: 'isrc' },
    { header: 'ISWC', value: 'iswc' },
    { header: 'Own production', value: 'own' },
    { header: 'Plays', value: 'plays' },
    { header: 'Seconds heard', value: 'seconds' },
    { header: 'Preview plays', value: 'previewPlays' },
    { header: 'Preview seconds heard', value: 'previewSeconds' },
    { header: 'Music app plays (estimate)', value: 'appPlays' },
    { header: 'Music app seconds (estimate)', value: 'appSeconds' },
    { header: 'Podcast plays (estimate)', value: 'podcastPlays' },
    { header: 'From', value: 'from' },
    { header: 'To', value: 'to' },
    { header: 'Territory', value: 'territory' },
    { header: 'Currency', value: 'currency' },
    { header: 'Revenue of the period', value: 'revenue' },
  ],
  capasso: [
    { header: 'Title', value: 'title' },
    { header: 'Version', value: 'version' },
    { header: 'Performer', value: 'performer' },
    { header: 'Composer', value: 'composer' },
    { header: 'Publisher', value: 'publisher' },
    { header: 'ISRC', value: 'isrc' },
    { header: 'ISWC', value: 'iswc' },
    { header: 'Label', value: 'label' },
    { header: 'Mix', value: 'track' },
    { header: 'Streams', value: 'plays' },
    { header: 'Seconds streamed', value: 'seconds' },
    { header: 'Preview streams', value: 'previewPlays' },
    { header: 'Estimated streams (apps and podcasts)', value: 'estimatedPlays' },
    { header: 'From', value: 'from' },
    { header: 'To', value: 'to' },
    { header: 'Territory', value: 'territory' },
    { header: 'Currency', value: 'currency' },
    { header: 'Revenue of the period', value: 'revenue' },
  ],
  samro: [
    { header: 'Title', value: 'title' },
    { header: 'Version', value: 'version' },
    { header: 'Composer', value: 'composer' },
    { header: 'Publisher', value: 'publisher' },
    { header: 'Performer', value: 'performer' },
    { header: 'Label', value: 'label' },
    { header: 'ISWC', value: 'iswc' },
    { header: 'ISRC', value: 'isrc' },
    { header: 'Mix', value: 'track' },
    { header: 'Released', value: 'released' },
    { header: 'Performances', value: 'plays' },
    { header: 'Seconds performed', value: 'seconds' },
    { header: 'Preview performances', value: 'previewPlays' },
    { header: 'Estimated performances (apps and podcasts)', value: 'estimatedPlays' },
    { header: 'From', value: 'from' },
    { header: 'To', value: 'to' },
    { header: 'Territory', value: 'territory' },
    { header: 'Currency', value: 'currency' },
    { header: 'Revenue of the period', value: 'revenue' },
  ],
};

export const readCell = ({ value }: LayoutColumn, line: UsageLine, report: ReportFacts): Cell =>
  values[value](line, report);

const isSum = (value: LayoutColumn['value']): value is keyof typeof sums => value in sums;

/** One line for each entry, and a last one with the sums of the columns, the territory and the revenue. */
export function buildUsageTable(
  columns: readonly LayoutColumn[],
  report: ReportFacts,
  lines: Iterable<UsageLine> | AsyncIterable<UsageLine>,
): CsvTable {
  const total = new Map<string, number>();
  async function* rows() {
    for await (const line of lines) {
      const cells = columns.map((column) => readCell(column, line, report));
      columns.forEach(({ value }, index) => {
        if (isSum(value)) total.set(value, (total.get(value) ?? 0) + Number(cells[index] ?? 0));
      });
      yield { cells };
    }
    const last: Partial<Record<LayoutColumn['value'], Cell>> = report;
    yield {
      cells: columns.map(({ value }, index) => {
        if (index === 0) return 'Total';
        return isSum(value) ? (total.get(value) ?? 0) : (last[value] ?? null);
      }),
    };
  }
  return {
    columns: columns.map(({ header, value }) => ({
      key: value,
      label: header,
      kind: value === 'revenue' ? 'cents' : isSum(value) ? 'count' : 'text',
    })),
    rows: rows(),
  };
}
