import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { NO_DETAILS } from '#contract/tracklists/recording.ts';
import type { TracksTable } from '../db/types/tables.ts';
import { recordPlan, type PlanStep } from '../testing/explain.ts';
import { seedTrack } from '../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../testing/test-app.ts';
import { createAdmin } from '../testing/test-admin.ts';
import { createSubscriber } from '../testing/test-user.ts';

/** Made once; every test only asks. */
let test: TestApp;
let subscriber: TestClient;
let track: TracksTable;
let playId: string;

beforeAll(async () => {
  test = await createTestApp({ hasPage: true });
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() }, { genre: 'Amapiano' });
  subscriber = (await createSubscriber(test)).client;
  const started = await subscriber.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
  playId = started.json<{ playId: string }>().playId;
});
afterAll(() => test.close());

/** Tables that end: a chart has twenty places, and a site only so many genres. */
const SMALL = new Set(['charts', 'chart_entries', 'search_genres', 'settings']);
/** What is worked out within a query has no index, and is no longer than a page. */
const isTable = ({ table }: PlanStep) =>
  /^[a-z_]+$/.test(table) && !SMALL.has(table) && !table.startsWith('subquery');

async function findScans(client: TestClient, request: InjectOptions): Promise<string[]> {
  let status = 0;
  const steps = await recordPlan(test.deps.database, async () => {
    status = (await client.request(request)).statusCode;
  });
  expect([request, status < 300]).toEqual([request, true]);
  expect(steps.length, 'queries that were looked at').toBeGreaterThan(0);
  return steps.filter((step) => step.access === 'scan' && isTable(step)).map(({ sql }) => sql);
}

const ASKED: Record<string, () => InjectOptions> = {
  'who is signed in': () => ({ url: '/api/auth/me' }),
  'the plans': () => ({ url: '/api/plans' }),
  'the subscription': () => ({ url: '/api/subscription' }),
  'its invoices': () => ({ url: '/api/subscription/invoices' }),
  'the releases of Home': () => ({ url: '/api/tracks?limit=12' }),
  'a week of Home': () => ({ url: '/api/tracks?year=2026&week=40' }),
  'a genre of the library': () => ({ url: '/api/tracks?genre=Amapiano' }),
  'the track page': () => ({ url: `/api/tracks/${track.id}` }),
  'its waveform': () => ({ url: `/api/tracks/${track.id}/peaks` }),
  'its heart': () => ({ url: `/api/tracks/${track.id}/favorite` }),
  'its audio': () => ({ url: `/media/tracks/${track.id}/stream`, headers: { range: 'bytes=0-9' } }),
  'its page for who shares it': () => ({
    url: `/track/${track.id}`,
    headers: { accept: 'text/html' },
  }),
  'the chart': () => ({ url: '/api/top-20' }),
  'the favorites': () => ({ url: '/api/favorites' }),
  'the history': () => ({ url: '/api/history' }),
  'the downloads': () => ({ url: '/api/downloads' }),
  'the playlists': () => ({ url: '/api/playlists' }),
  'the achievements': () => ({ url: '/api/achievements' }),
  'the sessions': () => ({ url: '/api/me/sessions' }),
  'a search': () => ({ url: '/api/tracks/search?q=golden' }),
  'a suggestion': () => ({ url: '/api/tracks/suggest?q=gol' }),
  'a start': () => ({ method: 'POST', url: `/api/tracks/${track.id}/play` }),
  'a heartbeat': () => ({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened: 0, position: 1 },
  }),
  'a favorite': () => ({ method: 'POST', url: `/api/tracks/${track.id}/favorite` }),
  'a download': () => ({
    method: 'POST',
    url: `/api/tracks/${track.id}/download`,
    payload: { format: 'mp3' },
  }),
};

describe('frequent queries scan no table', () => {
  it.each(Object.entries(ASKED))('%s', async (_name, ask) => {
    expect(await findScans(subscriber, ask())).toEqual([]);
  });

  it('reads what tracklists play for reports from an index, and for listeners not at all', async () => {
    const { client: admin } = await createAdmin(test);
    const url = `/api/admin/tracks/${track.id}/recordings`;
    const { version } = (await admin.request({ url })).json<{ version: number }>();
    const details = { ...NO_DETAILS, isrc: 'GBUM71206124' };
    const entries = [{ recordingId: null, updatedAt: null, details }];
    await admin.request({ method: 'PUT', url, payload: { version, entries } });
    for (const each of [url, '/api/admin/recordings', '/api/admin/recordings?gap=sharedIsrc'])
      expect(await findScans(admin, { url: each })).toEqual([]);
    for (const ask of Object.values(ASKED)) {
      const steps = await recordPlan(test.deps.database, () => subscriber.request(ask()));
      expect(steps.filter(({ sql }) => sql.includes('recordings'))).toEqual([]);
    }
  });
});
