/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('what a report would lack', () => {
  it('is listed before it is made, with the mixes in which it is mended', async () => {
    await site.addRecording('long-road', { publisher: null });
    await site.addRecording('same-isrc');
    await site.addRecording('own', { is_own: 1, publisher: null, label: null, isrc: null });
    const track = await site.seed([
      ...TWO_ENTRIES,
      { at: null, artist: 'Bheki', title: 'Again', recordingId: 'same-isrc' },
      { at: 200, artist: 'Me', title: 'Mine', recordingId: 'own' },
    ]);
    const bare = await site.seed([], { title: 'Bare', week: 30, deleted_at: 1 });
    const unheard = await site.seed([], { title: 'Unheard' });
    await site.db
      .insertInto('past_tracklists')
      .values([
        { track_id: track.id, until_at: Date.UTC(2026, 6, 2), chapters: '[]', duration_ms: 1 },
        // On the first second of the day after the quarter, in the site's time zone.
        {
          track_id: bare.id,
          until_at: Date.parse('2026-10-01T00:00+02:00'),
          chapters: '[]',
          duration_ms: 1,
        },
      ])
      .execute();
    await site.addUp('2026-07-04', '2026-07-25');
    await site.hear(track, '2026-07-04', { unplaced_ms: 61_000, plays: 2 });
    await site.hear(track, '2026-07-04', {
      kind: 'podcast',
      spans: '[]',
      plays: 7,
      listened_ms: 0,
    });
    await site.hear(bare, '2026-07-25');
    await site.hear(unheard, '2026-06-30');
    const found = await site.outlook();
    expect(found).toMatchObject({
      from: '2026-07-01',
      to: '2026-09-30',
      territory: 'South Africa',
      currency: 'ZAR',
      revenue: { calculated: 0, sales: 0, refunds: 0 },
      totals: {
        tracks: 2,
        entries: 4,
        heard: {
          full: { plays: 3, seconds: 600 },
          preview: { plays: 0, seconds: 0 },
          subsonic: { plays: 0, seconds: 0 },
          podcast: { plays: 7, seconds: 0 },
        },
      },
    });
    expect(
      found.gaps.map(({ gap, count, tracks }) => [gap, count, tracks.map(({ title }) => title)]),
    ).toEqual([
      ['no-tracklist', 1, ['Bare']],
      ['time', 1, ['Golden Hour']],
      ['artist', 1, ['Golden Hour']],
      ['composer', 1, ['Golden Hour']],
      ['publisher', 2, ['Golden Hour']],
      ['label', 1, ['Golden Hour']],
      ['isrc', 1, ['Golden Hour']],
      ['repeated-isrc', 2, ['Golden Hour']],
      ['replaced', 1, ['Golden Hour']],
      ['unplaced', 61, ['Golden Hour']],
      ['estimates', 7, ['Golden Hour']],
    ]);
    expect(found.gaps[0]?.tracks[0]).toMatchObject({ id: bare.id, isDeleted: true });
    // What was confirmed last comes first the next time.
    await site.make({ territory: 'Namibia' });
    expect((await site.outlook()).territory).toBe('Namibia');
  });

  it('is listed of tracklists that were heard before the audio was replaced, too', async () => {
    await site.addRecording('long-road', { composer: null });
    await site.addRecording('whole', { isrc: 'ZAUM71900002' });
    const whole = { at: 0, artist: 'Thandi', title: 'Whole', recordingId: 'whole' };
    const track = await site.seed([whole]);
    const never = await site.seed([whole], { title: 'Not heard before', week: 30 });
    const until_at = Date.parse('2026-08-10T12:00+02:00');
    await site.db
      .insertInto('past_tracklists')
      .values(
        [track, never].map(({ id }) => ({
          track_id: id,
          until_at,
          chapters: JSON.stringify(TWO_ENTRIES),
          duration_ms: 300_000,
        })),
      )
      .execute();
    await site.addUp('2026-08-09', '2026-08-10', '2026-08-11');
    await site.hear(track, '2026-08-10', { until_at });
    await site.hear(track, '2026-08-11');
    await site.hear(never, '2026-08-11');
    const found = await site.outlook();
    expect(
      found.gaps.map(({ gap, tracks }) => [gap, tracks.map(({ count, past }) => [count, past])]),
    ).toEqual([
      ['artist', [[1, 1]]],
      ['composer', [[2, 2]]],
      ['publisher', [[1, 1]]],
      ['label', [[1, 1]]],
      ['isrc', [[1, 1]]],
      [
        'replaced',
        [
          [1, 0],
          [1, 0],
        ],
      ],
    ]);
    expect(found.totals.entries).toBe(4);
    expect((await site.make()).totals?.entries).toBe(4);
    // What names a recording is corrected where all of them are.
    await site.db.updateTable('recordings').set({ composer: 'T. Mokoena' }).execute();
    expect((await site.outlook()).gaps).toContainEqual(
      expect.objectContaining({ gap: 'composer', count: 1 }),
    );
    // Only the old tracklist was heard.
    await site.hear(track, '2026-06-02');
    expect(await site.outlook('2026-06')).toMatchObject({ totals: { entries: 2 } });
  });
});
