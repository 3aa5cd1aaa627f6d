import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { REPORT_LAYOUTS } from '#contract/admin/usage-reports.ts';
import { streamCsv } from '../../http/send/csv.ts';
import { buildUsageTable, layouts, type UsageLine } from './layouts.ts';

const facts = {
  from: '2026-07-01',
  to: '2026-09-30',
  territory: 'South Africa',
  currency: 'ZAR',
  revenue: 1234_50,
};
const none = { plays: 0, seconds: 0 };
const line: UsageLine = {
  line: 'entry',
  trackId: 'mix',
  recordingId: null,
  track: 'Golden “Hour”, live',
  released: '2026-07-03',
  position: 1,
  at: 0,
  title: '=HYPERLINK("http://example.com")',
  version: '+27 Mix',
  performer: '@home',
  composer: null,
  publisher: '-',
  label: null,
  isrc: 'ZAUM71900001',
  iswc: null,
  isOwn: false,
  heard: {
    full: { plays: 3, seconds: 181 },
    preview: { plays: 2, seconds: 20 },
    subsonic: { plays: 4, seconds: 240 },
    podcast: { plays: 5, seconds: null },
  },
};
const unknown: UsageLine = {
  ...line,
  title: 'Untimed',
  version: null,
  heard: { ...line.heard, full: { plays: null, seconds: null }, preview: none, subsonic: none },
};

const write = async (layout: (typeof REPORT_LAYOUTS)[number]) => {
  const table = buildUsageTable(layouts[layout], facts, [line, unknown]);
  const csv = (await buffer(streamCsv(table))).toString();
  expect(csv.startsWith('\uFEFF')).toBe(true);
  return csv.slice(1).split('\r\n');
};

describe('the file of a report', () => {
  it('has a line for each entry and the sums, with formulas defused and unknown cells empty', async () => {
    expect(await write('general')).toEqual([
      'Line,Mix,Released,Position,Starts at second,Title,Version,Performer,Composer,Publisher,Label,ISRC,ISWC,Own production,Plays,Seconds heard,Preview plays,Preview seconds heard,Music app plays (estimate),Music app seconds (estimate),Podcast plays (estimate),From,To,Territory,Currency,Revenue of the period',
      `Entry,"Golden “Hour”, live",2026-07-03,1,0,"'=HYPERLINK(""http://example.com"")",'+27 Mix,'@home,,'-,,ZAUM71900001,,No,3,181,2,20,4,240,5,2026-07-01,2026-09-30,South Africa,,`,
      `Entry,"Golden “Hour”, live",2026-07-03,1,0,Untimed,,'@home,,'-,,ZAUM71900001,,No,,,0,0,0,0,5,2026-07-01,2026-09-30,South Africa,,`,
      'Total,,,,,,,,,,,,,,3,181,2,20,4,240,10,2026-07-01,2026-09-30,South Africa,ZAR,1234.50',
      '',
    ]);
  });

  it('has no formula in any cell of any layout, whoever typed it', async () => {
    for (const start of ['=', '+', '-', '@', '＝', '\t', '\r'])
      for (const layout of REPORT_LAYOUTS) {
        const formula = `${start}cmd|calc`;
        const texts = Object.entries(line).map(([key, value]) => [
          key,
          key !== 'line' && (typeof value === 'string' || value === null) ? formula : value,
        ]);
        const table = buildUsageTable(layouts[layout], { ...facts, territory: formula }, [
          Object.fromEntries(texts) as UsageLine,
        ]);
        const csv = (await buffer(streamCsv(table))).toString();
        expect(csv.split(`'${formula}`).length).toBeGreaterThan(8);
        expect(csv.replaceAll(`'${formula}`, '')).not.toContain('cmd');
      }
  });

  it('never adds an estimate or a preview to the plays of a society’s layout', async () => {
    for (const layout of ['capasso', 'samro'] as const) {
      const [head = '', first = '', second = '', total = ''] = await write(layout);
      const [plays, previews, estimates] = [
        /^(?:Streams|Performances)$/,
        /^Preview/,
        /^Estimated/,
      ].map((name) => head.split(',').findIndex((header) => name.test(header)));
      // The first line has commas in its quoted cells.
      const cells = (row: string) => row.replaceAll(/"(?:[^"]|"")*"/g, 'x').split(',');
      const of = (row: string) =>
        [plays, previews, estimates].map((index) => cells(row)[index ?? -1]);
      expect(of(first)).toEqual(['3', '2', '9']);
      expect(of(second)).toEqual(['', '0', '5']);
      expect(of(total)).toEqual(['3', '2', '14']);
      expect(total.startsWith('Total,')).toBe(true);
      expect(total.endsWith(',South Africa,ZAR,1234.50')).toBe(true);
    }
  });

  it('has unique headers in every layout', () => {
    for (const layout of REPORT_LAYOUTS) {
      const headers = layouts[layout].map(({ header }) => header);
      expect(new Set(headers).size).toBe(headers.length);
    }
  });
});
