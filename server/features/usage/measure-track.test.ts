/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { startUsageSite, type UsageSite } from '../../testing/usage-site.ts';

let site: UsageSite;
beforeEach(async () => {
  site = await startUsageSite();
});
afterEach(() => site.close());

describe('what staff see of a mix', () => {
  const ask = (client: TestClient, query: string, id = site.track.id) =>
    client.request({ url: `/api/admin/tracks/${id}/heard?${query}` });
  const NOVEMBER = 'from=2026-11-01&to=2026-11-15';

  it('is each entry with its plays and seconds, by tracklist and kind', async () => {
    const { db } = site.deps.database;
    const chapters = (...times: (number | null)[]) =>
      JSON.stringify(
        times.map((at) => ({ at, title: `At ${at}`, artist: null, recordingId: 'secret' })),
      );
    await db
      .updateTable('tracks')
      .set({ chapters: chapters(0, 60, null) })
      .execute();
    const replacedAt = site.clock.now() + HOUR;
    await db
      .insertInto('past_tracklists')
      .values({
        track_id: site.track.id,
        until_at: replacedAt,
        chapters: chapters(10),
        duration_ms: 40_000,
      })
      .execute();
    await site.insertPlay(site.clock.now());
    await site.insertPlay(replacedAt, { position_ms: 62_000 });
    await site.insertPlay(replacedAt + 1, { is_subscriber: 0, listened_ms: 20_000 });
    await site.insertPlay(replacedAt + 2, {
      source: 'subsonic',
      position_ms: 0,
      listened_ms: 4_000,
    });
    await db
      .insertInto('podcast_requests')
      .values({ day: '2026-11-15', track_id: site.track.id, feed: 'hash' })
      .execute();
    await site.addUpLater(3);
    await site.addUpLater(1);
    const { client } = await createAdmin(site);
    const figures = (plays: number, seconds: number) => ({ plays, seconds });
    const response = await ask(client, NOVEMBER);
    expect(response.json()).toEqual({
      addedUpTo: '2026-11-16',
      tracklists: [
        {
          until: null,
          full: figures(1, 60),
          preview: figures(1, 20),
          subsonic: figures(1, 4),
          podcasts: 1,
          unplaced: 0,
          entries: [
            {
              at: 0,
              artist: null,
              title: 'At 0',
              full: figures(1, 58),
              preview: figures(1, 20),
              subsonic: figures(0, 4),
            },
            { at: 60, artist: null, title: 'At 60', full: null, preview: null, subsonic: null },
            { at: null, artist: null, title: 'At null', full: null, preview: null, subsonic: null },
          ],
        },
        {
          until: replacedAt,
          full: figures(1, 60),
          preview: figures(0, 0),
          subsonic: figures(0, 0),
          podcasts: 0,
          unplaced: 20,
          entries: [
            {
              at: 10,
              artist: null,
              title: 'At 10',
              full: figures(1, 30),
              preview: figures(0, 0),
              subsonic: figures(0, 0),
            },
          ],
        },
      ],
    });
  });

  it('needs a mix and days that can be', async () => {
    const { client } = await createAdmin(site);
    expect((await ask(client, NOVEMBER, 'nothing')).statusCode).toBe(404);
    for (const query of ['from=2026-11-18&to=2026-11-01', 'from=2026-02-30&to=2026-11-01', ''])
      expect((await ask(client, query)).statusCode).toBe(400);
    const future = await ask(client, 'from=2026-11-01&to=2027-01-01');
    expect(future.json()).toMatchObject({ message: 'The end date can’t be in the future.' });
    expect((await ask((await createUser(site)).client, NOVEMBER)).statusCode).toBe(404);
    expect((await ask(client, NOVEMBER)).json()).toMatchObject({ addedUpTo: null });
  });
});
