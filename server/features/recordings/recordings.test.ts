/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { Recording, TrackRecordings } from '#contract/admin/recordings.ts';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import type { Page } from '#contract/paging.ts';
import { NO_DETAILS, type RecordingDetails } from '#contract/tracklists/recording.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';

let test: TestApp;
let helper: TestClient;
beforeEach(async () => {
  test = await createTestApp();
  helper = (await createHelper(test)).client;
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack(
    { db: database.db, storage, now: clock.now() },
    { duration_ms: 3_600_000, chapters: '[]', ...change },
  );
};

type Method = 'GET' | 'PUT' | 'PATCH' | 'POST';
const ask = (method: Method, url: string, payload?: object) =>
  helper.request({ method, url, ...(payload && { payload }) });
async function answer<T>(method: Method, url: string, payload?: object): Promise<T> {
  const response = await ask(method, url, payload);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<T>();
}

type Line = { at: number | null; artist: string | null; title: string };
type Entered = Line & { recordingId?: string; details?: Partial<RecordingDetails> };
const line = (artist: string | null, title: string, at: number | null = null) => ({
  at,
  artist,
  title,
});

/** Saves a tracklist as the form, the API and an import do. */
async function save(trackId: string, chapters: readonly Entered[]) {
  const { version } = await answer<CatalogueDetail>('GET', `/api/admin/tracks/${trackId}`);
  await answer('PATCH', `/api/admin/tracks/${trackId}`, { version, chapters });
  return read(trackId);
}
const read = (trackId: string) =>
  answer<TrackRecordings>('GET', `/api/admin/tracks/${trackId}/recordings`);
const listAll = async (query = '') =>
  (await answer<Page<Recording>>('GET', `/api/admin/recordings${query}`)).items;

const toChanges = ({ entries }: TrackRecordings) =>
  entries.map(({ recordingId, details, updatedAt }) => ({ recordingId, details, updatedAt }));

/** Saves the table of a mix with other details in one line. */
function saveLine(trackId: string, table: TrackRecordings, index: number, change: object) {
  const entries = toChanges(table).map((entry, at) =>
    at === index ? { ...entry, ...change } : entry,
  );
  return ask('PUT', `/api/admin/tracks/${trackId}/recordings`, { version: table.version, entries });
}

const FULL: RecordingDetails = {
  ...NO_DETAILS,
  composer: 'H. Lawrence',
  publisher: 'Universal',
  label: 'PMR',
  isrc: 'GBUM71206124',
};

const linksOf = ({ entries }: TrackRecordings) => entries.map(({ recordingId }) => recordingId);

describe('the table of a mix', () => {
  it('takes details line by line, says what is missing, and keeps a record', async () => {
    const track = await seed({ title: 'Week 46' });
    const before = await save(track.id, [
      line('Disclosure', 'Latch', 0),
      line('Mandoza', 'Nkalakatha', 200),
      line(null, 'Intro'),
    ]);
    expect(before.entries[0]).toEqual({
      at: 0,
      artist: 'Disclosure',
      title: 'Latch',
      recordingId: null,
      details: NO_DETAILS,
      updatedAt: null,
      otherTracks: 0,
      suggestion: null,
      problems: ['composer', 'publisher', 'label', 'isrc'].map((kind) => ({ kind })),
    });
    const details = { ...FULL, isrc: ' gb-um7-12-06124 ', label: '', isOwn: true };
    const saved = await saveLine(track.id, before, 0, { details });
    const after = saved.json<TrackRecordings>();
    expect(after.entries[0]).toMatchObject({
      details: { ...FULL, label: null, isOwn: true },
      problems: [],
    });
    expect(linksOf(after)).toEqual([expect.any(String), null, null]);
    expect(after.entries[2]?.problems).toContainEqual({ kind: 'artist' });
    expect(after.entries[2]?.problems).toContainEqual({ kind: 'time' });
    const { client: admin } = await createAdmin(test);
    const audit = await admin.request({ url: '/api/admin/audit?kind=recording' });
    const [entry] = audit.json<Page<AuditEntry>>().items;
    expect(entry).toMatchObject({
      action: 'recording.created',
      subject: { kind: 'recording', name: 'Disclosure - Latch' },
      changes: expect.arrayContaining([{ field: 'isrc', before: null, after: 'GBUM71206124' }]),
    });
  });
});

describe('recordings', () => {
  it('are listed by name, by gap and by ISRC, page by page', async () => {
    const track = await seed({ title: 'Week 46' });
    await save(track.id, [
      { ...line('Sun-El', 'Akanamali', 0), details: FULL },
      { ...line('Disclosure', 'Latch', 60), details: { label: 'PMR' } },
      { ...line('Ami Faku', 'Into Ingawe', 120), details: { isOwn: true, composer: 'A. Faku' } },
    ]);
    const titles = (items: Recording[]) => items.map(({ title }) => title);
    expect(titles(await listAll())).toEqual(['Into Ingawe', 'Latch', 'Akanamali']);
    expect(titles(await listAll('?gap=isrc'))).toEqual(['Latch']);
    expect(titles(await listAll('?search=latch%20disc'))).toEqual(['Latch']);
    expect(titles(await listAll('?search=GB-UM7-12-06124'))).toEqual(['Akanamali']);
    const first = await answer<Page<Recording>>('GET', '/api/admin/recordings?limit=2');
    const cursor = encodeURIComponent(first.nextCursor ?? '');
    const last = await listAll(`?limit=2&cursor=${cursor}`);
    expect([...titles(first.items), ...titles(last)]).toEqual([
      'Into Ingawe',
      'Latch',
      'Akanamali',
    ]);
    expect(last[0]).toMatchObject({ tracks: 1, lastTracks: [{ id: track.id, title: 'Week 46' }] });
  });
});
