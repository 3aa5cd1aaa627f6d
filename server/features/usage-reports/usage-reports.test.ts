/** @module-tag both-databases */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageReport } from '#contract/admin/usage-reports.ts';
import {
  startUsageReportSite,
  TWO_ENTRIES,
  type UsageReportSite,
} from '../../testing/usage-report-site.ts';

let site: UsageReportSite;
beforeEach(async () => {
  site = await startUsageReportSite();
});
afterEach(() => site.close());

describe('a report', () => {
  it('has each entry of every mix that was heard, also of deleted mixes, and what belongs to none', async () => {
    await site.addRecording('long-road', { version: 'Live', is_own: 1 });
    const track = await site.seed([
      { at: 20, artist: 'Thandi', title: 'Long Rd', recordingId: 'long-road' },
      { at: 100, artist: null, title: 'Untitled' },
      { at: 200, artist: 'Bheki', title: 'Timed' },
      { at: null, artist: 'Bheki', title: 'Untimed' },
    ]);
    const bare = await site.seed([], {
      title: 'Bare',
      week: 30,
      publish_at: null,
      restore_publish_at: Date.UTC(2026, 6, 24, 10),
      deleted_at: site.clock.now(),
    });
    await site.hear(track, '2026-07-04', {
      spans: '[[0,150],[40,300]]',
      plays: 3,
      listened_ms: 420_000,
      unplaced_ms: 10_000,
    });
    await site.hear(track, '2026-07-04', {
      kind: 'preview',
      spans: '[[20,50]]',
      listened_ms: 30_000,
    });
    await site.hear(track, '2026-09-30', {
      kind: 'subsonic',
      spans: '[[100,200]]',
      plays: 2,
      listened_ms: 100_000,
    });
    await site.hear(track, '2026-09-30', {
      kind: 'podcast',
      spans: '[]',
      plays: 7,
      listened_ms: 0,
    });
    await site.hear(bare, '2026-07-25');
    // Other days are in other reports.
    await site.hear(track, '2026-06-30');
    await site.hear(track, '2026-10-01');
    const report = await site.make();
    expect(report).toMatchObject({
      number: 1,
      state: 'ready',
      madeBy: 'naledi',
      previous: null,
      changes: null,
      revenue: { calculated: 0, confirmed: 500_00 },
      totals: {
        tracks: 2,
        entries: 4,
        heard: {
          full: { plays: 4, seconds: 720 },
          preview: { plays: 1, seconds: 30 },
          subsonic: { plays: 2, seconds: 100 },
          podcast: { plays: 7, seconds: 0 },
        },
        // Before the first entry, in the last TWO_ENTRIES, and nobody knows where.
        outside: 20 + 100 + 10,
      },
    });
    const { body } = await site.download(report.id);
    expect(body.replace('\uFEFF', '').trimEnd().split('\r\n').slice(1)).toEqual([
      'Entry,Golden Hour,2026-07-03,1,20,Long Road,Live,Thandi,T. Mokoena,Gallo,Gallo,ZAUM71900001,,Yes,2,140,1,30,0,0,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,2,100,Untitled,,,,,,,,No,2,150,0,0,1,100,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,3,200,Timed,,Bheki,,,,,,No,,,,,,,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,4,,Untimed,,Bheki,,,,,,No,,,,,,,7,2026-07-01,2026-09-30,South Africa,,',
      'In no known entry,Golden Hour,2026-07-03,,,,,,,,,,,,,130,,0,,0,,2026-07-01,2026-09-30,South Africa,,',
      'Mix without a tracklist,Bare,2026-07-24,,,,,,,,,,,,1,300,0,0,0,0,0,2026-07-01,2026-09-30,South Africa,,',
      'Total,,,,,,,,,,,,,,5,720,1,30,1,100,28,2026-07-01,2026-09-30,South Africa,ZAR,500.00',
    ]);
  });

  it('reports what was heard before the audio was replaced with the tracklist of that time', async () => {
    const track = await site.seed([{ at: 0, artist: 'Thandi', title: 'After' }]);
    const replacedAt = Date.parse('2026-08-10T12:00+02:00');
    await site.db
      .insertInto('past_tracklists')
      .values({
        track_id: track.id,
        until_at: replacedAt,
        chapters: JSON.stringify([{ at: 0, artist: 'Thandi', title: 'Before' }]),
        duration_ms: 60_000,
      })
      .execute();
    await site.addUp('2026-08-09', '2026-08-10', '2026-08-11');
    await site.hear(track, '2026-08-09', { spans: '[[0,60]]', listened_ms: 60_000 });
    await site.hear(track, '2026-08-10', {
      spans: '[[0,30]]',
      listened_ms: 30_000,
      until_at: replacedAt,
    });
    await site.hear(track, '2026-08-10');
    await site.hear(track, '2026-08-11');
    const { id } = await site.make({ layout: 'capasso' });
    const lines = await site.readCells(id);
    expect(lines.map((line) => [line.Title, line.Streams, line['Seconds streamed']])).toEqual([
      ['Before', '2', '90'],
      ['After', '2', '600'],
      ['Total', '4', '690'],
    ]);
  });

  it('says when a mix was released that is a draft again', async () => {
    const release = Date.UTC(2026, 6, 3, 10);
    const complained = await site.seed([], { title: 'Complained', week: 30 });
    const unpublished = await site.seed([], {
      title: 'Unpublished',
      week: 29,
      announced_at: release,
    });
    const never = await site.seed([], {
      title: 'Never',
      week: 28,
      publish_at: Date.UTC(2027, 0, 1),
      announced_at: null,
    });
    for (const track of [complained, unpublished, never]) await site.hear(track, '2026-07-04');
    const change = async (url: string, payload: object) => {
      const { statusCode, body } = await site.owner.request({ method: 'POST', url, payload });
      expect([statusCode, body]).toEqual([200, expect.any(String)]);
    };
    const complaint = { complainant: 'A label', reason: 'A sample', email: '', reference: '' };
    for (const { id } of [complained, never]) {
      const url = `/api/admin/tracks/${id}`;
      await change(`${url}/take-down`, complaint);
      await change(`${url}/put-back`, { reason: 'It was cleared', as: 'draft' });
    }
    await change('/api/admin/tracks/bulk', { action: 'unpublish', ids: [unpublished.id] });
    const lines = await site.readCells((await site.make()).id);
    expect(lines.map(({ Mix, Released }) => [Mix, Released])).toEqual([
      ['Complained', '2026-07-03'],
      ['Unpublished', '2026-07-03'],
      ['Never', ''],
      ['', ''],
    ]);
  });

  it('is made once for each form, however often it is sent, and once at a time for its subject', async () => {
    const request = 'the-very-same-request';
    const [first, second] = await Promise.all([site.ask({ request }), site.ask({ request })]);
    const third = await site.ask();
    const ids = [first, second, third].map((response) => response.json<UsageReport>().id);
    expect(new Set(ids).size).toBe(1);
    expect(first.json()).toMatchObject({ number: 1, state: 'making', sha256: null });
    const other = await site.ask({ layout: 'samro' });
    expect(other.json()).toMatchObject({ number: 2 });
    await site.worker.runDue();
    expect((await site.listReports()).map(({ number, state }) => [number, state])).toEqual([
      [2, 'ready'],
      [1, 'ready'],
    ]);
    expect((await site.ask({ request })).json()).toMatchObject({ number: 1, state: 'ready' });
  });

  it('is never taken for one that is made with other totals', async () => {
    const answers = await Promise.all([
      site.ask({ territory: 'Namibia' }),
      ...Array.from({ length: 9 }, (_, index) => site.ask({ revenue: index * 1_00 })),
    ]);
    const refused = answers.filter(({ statusCode }) => statusCode === 400);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(refused).toHaveLength(9);
    for (const answer of refused)
      expect(answer.json()).toMatchObject({
        message: expect.stringContaining('with other totals is being made') as unknown,
      });
    await site.worker.runDue();
    expect(await site.make({ revenue: 7 })).toMatchObject({ number: 2, previous: 1 });
  });

  it('of a period in which nothing was heard has the sums alone', async () => {
    await site.hear(await site.seed(TWO_ENTRIES), '2026-07-01');
    expect(await site.outlook('2026-06')).toMatchObject({
      gaps: [],
      totals: { tracks: 0, entries: 0 },
    });
    const { id, totals } = await site.make({ period: '2026-06' });
    expect(totals).toMatchObject({ tracks: 0, entries: 0, outside: 0 });
    expect(await site.readCells(id)).toMatchObject([
      { Line: 'Total', Plays: '0', 'Podcast plays (estimate)': '0', Territory: 'South Africa' },
    ]);
  });

  it('is refused unless its period is over and added up', async () => {
    for (const [period, message] of [
      ['2026-12', 'This period is in the future. Choose one that is over.'],
      ['2026-09-30_2026-07-01', 'The period ends before it begins.'],
      ['2024-01-01_2026-09-30', 'Choose a period of up to a year.'],
      ['1970-01-01_1970-03-31', 'Enter a month or two days from 2000 to 2099.'],
      ['9999-01', 'Enter a month or two days from 2000 to 2099.'],
      ['2026-11-01_2026-11-14', expect.stringContaining('isn’t added up yet')],
    ] as const)
      for (const response of [
        await site.ask({ period }),
        await site.owner.request({ url: `/api/admin/rights/outlook?period=${period}` }),
      ])
        expect([response.statusCode, response.json()]).toMatchObject([
          400,
          { fields: { period: message } },
        ]);
    expect((await site.ask({ revenue: -1 })).statusCode).toBe(400);
    expect((await site.ask({ territory: ' ' })).statusCode).toBe(400);
    expect(await site.listReports()).toEqual([]);
  });
});

describe('a tracklist that is corrected afterwards', () => {
  it('leaves the old report as it is, and the next says what changed', async () => {
    await site.addRecording('long-road', { composer: null });
    const track = await site.seed(TWO_ENTRIES);
    await site.hear(track, '2026-07-04');
    const old = await site.make();
    const bytes = (await site.download(old.id)).rawPayload;
    await site.db
      .updateTable('recordings')
      .set({ composer: '=T. Mokoena' })
      .where('id', '=', 'long-road')
      .execute();
    await site.db
      .updateTable('tracks')
      .set({
        chapters: JSON.stringify([TWO_ENTRIES[0], { at: 150, artist: null, title: 'Untitled' }]),
      })
      .where('id', '=', track.id)
      .execute();
    const next = await site.make({ revenue: 400_00 });
    expect(next).toMatchObject({ number: 2, previous: 1 });
    const change = (title: string, column: string, before: string, after: string) => ({
      change: 'changed',
      track: title === '' ? 'Total' : 'Golden Hour',
      title,
      column,
      before,
      after,
    });
    const items = [
      change('', 'Revenue of the period', '500.00', '400.00'),
      change('Long Road', 'Composer', '', '=T. Mokoena'),
      change('Long Road', 'Seconds heard', '100', '150'),
      change('Untitled', 'Starts at second', '100', '150'),
      change('Untitled', 'Seconds heard', '200', '150'),
    ];
    expect(next.changes).toEqual({ added: 0, removed: 0, changed: 5, items });
    expect(await site.readCells(next.id, 'changes')).toEqual(
      items.map((item) => ({
        Change: 'changed',
        Mix: item.track,
        Title: item.title,
        Column: item.column,
        Before: item.before,
        // A spreadsheet would run it.
        After: item.after.replace('=', "'="),
      })),
    );
    expect((await site.download(old.id)).rawPayload).toEqual(bytes);
    expect(await site.read(old.id)).toEqual(old);
    const again = await site.owner.request({
      method: 'POST',
      url: `/api/admin/rights/reports/${old.id}/again`,
    });
    expect(again.json()).toEqual({ sha256: old.sha256, isSame: true });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(old.sha256);
    expect(bytes.length).toBe(old.size);
    // Another period and another layout have changed nothing.
    expect(await site.make({ layout: 'capasso' })).toMatchObject({ previous: null, changes: null });
    expect((await site.download(old.id, 'changes')).statusCode).toBe(404);
  });
});
