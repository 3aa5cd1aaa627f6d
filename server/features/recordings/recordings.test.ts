/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { Recording, TrackRecordings } from '#contract/admin/recordings.ts';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import type { Page } from '#contract/paging.ts';
import { DAY } from '#contract/rules/time.ts';
import { readTracklist } from '#contract/tracklists/read-tracklist.ts';
import { NO_DETAILS, type RecordingDetails } from '#contract/tracklists/recording.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { readTrack, seedTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { buildTags } from '../ingest/download-tags.ts';
import { readLook } from '../look/service.ts';
import { sweepExpired } from '../system/jobs.ts';

let test: TestApp;
let helper: TestClient;
beforeEach(async () => {
  test = await createTestApp({ hasPage: true });
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
type Entered = Line & { recordingId?: string; details?: Partial<RecordingDetails> | undefined };
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

describe('a tracklist that is saved', () => {
  it('keeps its recordings when it is typed anew, moved or corrected', async () => {
    const track = await seed();
    const first = await save(track.id, [
      { ...line('Disclosure', 'Latch', 0), details: { isrc: 'GBUM71206124' } },
      { ...line(null, 'Intro', 60), details: { isOwn: true } },
      line('Mandoza', 'Nkalakatha', 200),
    ]);
    const [latch, intro] = linksOf(first);
    const second = await save(track.id, [
      line(null, 'INTRO', 0),
      line('Mandoza', 'Nkalakatha', 200),
      line('Disclosure', 'Latch (Original Mix)', 400),
    ]);
    expect(linksOf(second)).toEqual([intro, null, latch]);
    const third = await save(track.id, [
      line(null, 'Intro', 0),
      line('Disclosure', 'Latch feat. Sam Smith', 400),
    ]);
    expect(linksOf(third)).toEqual([intro, latch]);
    // Reports use the corrected title, because no other mix has the old one.
    expect(await listAll('?search=latch')).toMatchObject([{ title: 'Latch feat. Sam Smith' }]);
    const unknown = [{ ...line('Zakes', 'Soul', 0), recordingId: 'none' }];
    expect(linksOf(await save(track.id, unknown))).toEqual([null]);
  });

  it('plays the recording of an earlier mix if its names or its ISRC leave no doubt', async () => {
    const [first, second, third] = [await seed({ week: 1 }), await seed(), await seed()];
    const [latch, id] = linksOf(
      await save(first.id, [
        { ...line('Disclosure', 'Latch', 0), details: FULL },
        { ...line('ID', 'ID', 60), details: { isOwn: true } },
      ]),
    );
    const later = await save(second.id, [
      line('DISCLOSURE', 'Latch', 0),
      { ...line('Disclosure ft. Sam Smith', 'Latch (Radio Edit)', 60), details: FULL },
      { ...line('Disclosure', 'Latch', 120), details: { version: 'Dub', isrc: 'GBUM71206199' } },
      line('ID', 'ID', 180),
      line('Somebody', 'Else', 240),
    ]);
    const dub = later.entries[2]?.recordingId;
    expect(linksOf(later)).toEqual([latch, latch, dub, null, null]);
    expect(new Set([latch, id, dub]).size).toBe(3);
    expect(later.entries[0]).toMatchObject({ details: FULL, otherTracks: 1 });
    // Now two recordings have these names: somebody has to say which one it is.
    const open = await save(third.id, [line('Disclosure', 'Latch', 0)]);
    expect(open.entries[0]).toMatchObject({ recordingId: null, suggestion: { details: {} } });
    const { recordingId, details, updatedAt } = open.entries[0]?.suggestion ?? {};
    const taken = await saveLine(third.id, open, 0, { recordingId, details, updatedAt });
    expect(linksOf(taken.json())).toEqual([recordingId]);
  });

  it('gets what a file says and nobody has entered, and nothing else changes', async () => {
    const track = await seed();
    const latch = line('Disclosure', 'Latch', 0);
    await save(track.id, [{ ...latch, details: { composer: 'H. Lawrence' } }]);
    const wrong = { composer: 'Somebody', label: 'PMR' };
    const after = await save(track.id, [{ ...latch, details: wrong }]);
    expect(after.entries[0]?.details).toMatchObject({ composer: 'H. Lawrence', label: 'PMR' });
    const refused = await ask('PATCH', `/api/admin/tracks/${track.id}`, {
      version: after.version,
      chapters: [{ ...latch, details: { isrc: 'ZAUM719' } }],
    });
    expect(refused.statusCode).toBe(400);
  });

  it('loses nothing when a file is read after somebody has entered details', async () => {
    const track = await seed();
    const before = await save(track.id, [
      line('Disclosure', 'Latch', 0),
      line('Kasi Voltage', 'Umlazi Siren', 200),
      line('Relay Room', 'Substation'),
    ]);
    const entered = { ...FULL, label: null, clearedWith: 'By mail, 3 May' };
    const table = (
      await saveLine(track.id, before, 0, { details: entered })
    ).json<TrackRecordings>();
    const siren = { details: { ...NO_DETAILS, isOwn: true, composer: 'N. Zulu' } };
    const typed = (await saveLine(track.id, table, 1, siren)).json<TrackRecordings>();
    const cue = `FILE "mix.wav" WAVE
      TRACK 01 AUDIO
        TITLE "LATCH (Original Mix)"
        PERFORMER "Disclosure"
        SONGWRITER "Somebody else"
        REM LABEL "PMR"
        ISRC GBUM71200000
        INDEX 01 00:02:00
      TRACK 02 AUDIO
        TITLE "New"
        PERFORMER "Somebody"
        ISRC za-um7-19-00001
        INDEX 01 02:00:00
      TRACK 03 AUDIO
        TITLE "Umlazi Siren"
        PERFORMER "Kasi Voltage & Friends"
        INDEX 01 03:20:00`;
    const { chapters } = readTracklist(cue);
    const after = await save(track.id, chapters);
    expect(after.entries.map(({ details }) => details)).toEqual([
      { ...entered, label: 'PMR' },
      { ...NO_DETAILS, isrc: 'ZAUM71900001' },
      siren.details,
    ]);
    expect([linksOf(after)[0], linksOf(after)[2]]).toEqual(linksOf(typed).slice(0, 2));
  });

  it('may name one ISRC for two tracks: both say so, and neither is lost', async () => {
    const track = await seed();
    const csv = '\uFEFFArtist;Title;ISRC\n=1+1;Latch;gb-um7-12-06124\n@x;Intro;GBUM71206124\n';
    const saved = await save(track.id, readTracklist(csv).chapters);
    expect(
      saved.entries.map(({ artist, title, details }) => [artist, title, details.isrc]),
    ).toEqual([
      ['=1+1', 'Latch', FULL.isrc],
      ['@x', 'Intro', FULL.isrc],
    ]);
    expect(saved.entries.map(({ problems }) => problems.at(-1)?.kind)).toEqual([
      'sharedIsrc',
      'sharedIsrc',
    ]);
  });

  it('shows listeners a time, an artist and a title, and nothing else', async () => {
    const track = await seed();
    const secret = { ...FULL, clearedWith: 'Confidential note' };
    const saved = await save(track.id, [{ ...line('Disclosure', 'Latch', 0), details: secret }]);
    const hidden = [...Object.values(secret), ...linksOf(saved)].filter(
      (value) => typeof value === 'string',
    );
    expect(hidden).toHaveLength(6);
    const sipho = await createSubscriber(test);
    const { client: member } = sipho;
    const created = await member.request({ method: 'POST', url: '/api/me/podcast-feed' });
    const feed = created.json<PodcastFeeds>();
    const token = feed.own?.url.split('/').at(-1);
    const urls = [
      `/api/tracks/${track.id}`,
      '/api/tracks',
      '/api/tracks/search?q=latch',
      '/api/tracks/suggest?q=latch',
      `/track/${track.id}`,
      `/feed/${token}`,
      `/feed/${token}/${track.id}/chapters.json`,
      `/embed/track/${track.id}`,
      '/api/me/export',
    ];
    const app = await createMusicApp(test, sipho);
    const answers = await Promise.all([
      ...urls.map(async (url) => ({ url, answered: await member.request({ url }) })),
      ...['getLyricsBySongId', 'getSong'].map(async (url) => ({
        url,
        answered: await app.request(url, { id: track.id }),
      })),
    ]);
    for (const { url, answered } of answers) {
      const { statusCode, body } = answered;
      const found = hidden.filter((text) => body.includes(text));
      expect({ url, statusCode, found }).toEqual({ url, statusCode: 200, found: [] });
    }
    const showing = answers.filter(({ answered }) => answered.body.includes('Latch'));
    // The others say nothing of a tracklist, and must go on doing so.
    expect(showing).toHaveLength(6);
    const row = await readTrack(test.deps.database.db, track.id);
    expect(row.chapters).toContain(saved.entries[0]?.recordingId);
    expect(buildTags({ ...row, artists: [] }, readLook(test.deps)).chapters).toEqual([
      line('Disclosure', 'Latch', 0),
    ]);
  });
});

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

  it('changes a recording in every mix that plays it, unless it gets its own', async () => {
    const [first, second] = [await seed(), await seed()];
    const latch = line('Disclosure', 'Latch', 0);
    const before = await save(first.id, [{ ...latch, details: FULL }]);
    const other = await save(second.id, [latch, line(null, 'Intro', 60)]);
    const label = { details: { ...FULL, label: 'Island' } };
    const saved = await saveLine(first.id, before, 0, label);
    expect(saved.statusCode).toBe(200);
    expect((await read(second.id)).entries[0]?.details.label).toBe('Island');
    // What the second table shows is outdated: it may not undo the correction.
    const late = await saveLine(second.id, other, 0, { details: { ...FULL, label: 'PMR' } });
    expect(late.json()).toMatchObject({ code: 'recording_changed' });
    const fresh = await read(second.id);
    const own = await saveLine(second.id, fresh, 0, { isSeparate: true, details: FULL });
    expect(own.json<TrackRecordings>().entries[0]).toMatchObject({ details: FULL, otherTracks: 0 });
    expect((await read(first.id)).entries[0]?.details.label).toBe('Island');
    // The tracklist changed, so lines may be others.
    const outdated = await saveLine(second.id, fresh, 0, {});
    expect(outdated.json()).toMatchObject({ code: 'track_changed' });
    const short = { version: (await read(first.id)).version, entries: [] };
    const tooFew = await ask('PUT', `/api/admin/tracks/${first.id}/recordings`, short);
    expect(tooFew.json()).toMatchObject({ code: 'track_changed' });
  });

  it('refuses wrong codes, and two texts for one recording, and saves nothing of it', async () => {
    const track = await seed();
    const latch = { ...line('Disclosure', 'Latch', 0), details: FULL };
    const table = await save(track.id, [latch, { ...latch, at: 300 }]);
    expect(new Set(linksOf(table)).size).toBe(1);
    expect(table.entries.flatMap(({ problems }) => problems)).toEqual([]);
    for (const wrong of [{ isrc: 'ZAUM719' }, { iswc: 'T0345246802' }]) {
      const answered = await saveLine(track.id, table, 0, { details: { ...FULL, ...wrong } });
      expect([answered.statusCode, answered.json<{ code: string }>().code]).toEqual([
        400,
        'validation_failed',
      ]);
    }
    const entries = ['A', 'B'].map((composer, index) => ({
      ...toChanges(table)[index],
      details: { ...FULL, composer },
    }));
    const url = `/api/admin/tracks/${track.id}/recordings`;
    const twice = await ask('PUT', url, { version: table.version, entries });
    expect(twice.json()).toMatchObject({ message: expect.stringContaining('Line 2') });
    expect(await read(track.id)).toEqual(table);
  });

  it('takes the same track twice as one recording, and a text of 200 characters at most', async () => {
    const track = await seed();
    const latch = line('Disclosure', 'Latch');
    const table = await save(track.id, [latch, line('Mandoza', 'Nkalakatha'), latch]);
    const put = (details: object) => {
      const entries = toChanges(table).map((entry, index) =>
        index === 1 ? entry : { ...entry, details: { ...FULL, ...details } },
      );
      return ask('PUT', `/api/admin/tracks/${track.id}/recordings`, {
        version: table.version,
        entries,
      });
    };
    const long = await put({ label: 'L'.repeat(201) });
    expect(long.json()).toMatchObject({ code: 'validation_failed' });
    const huge = await put({ label: 'L'.repeat(10_000_000) });
    expect(huge.statusCode).toBe(413);
    expect(await read(track.id)).toEqual(table);
    const saved = (await put({ label: '=HYPERLINK("x")' })).json<TrackRecordings>();
    const [one, none, other] = linksOf(saved);
    expect([none, other]).toEqual([null, one]);
    expect(saved.entries[2]).toMatchObject({
      details: { label: '=HYPERLINK("x")' },
      problems: [{ kind: 'time' }],
    });
  });
});

describe('recordings', () => {
  it('that are merged while mixes with them are saved leave no mix without its recording', async () => {
    const [first, second] = [await seed(), await seed()];
    const into = linksOf(
      await save(first.id, [{ ...line('Relay Room', 'Substation'), details: FULL }]),
    );
    const table = await save(second.id, [{ ...line('Disclosure', 'Latch'), details: FULL }]);
    const [from] = linksOf(table);
    const own = { isSeparate: false, details: { ...FULL, label: 'Island' } };
    const third = await seed();
    const { version } = await save(third.id, [line('Disclosure', 'Latch')]);
    const [saved, merged, edited] = await Promise.all([
      saveLine(second.id, table, 0, own),
      ask('POST', `/api/admin/recordings/${from}/merge`, { into: into[0] }),
      ask('PATCH', `/api/admin/tracks/${third.id}`, {
        version,
        chapters: [line('Disclosure', 'Latch', 30)],
      }),
    ]);
    expect([200, 409]).toContain(saved.statusCode);
    expect(merged.statusCode, merged.body).toBe(200);
    expect(edited.statusCode, edited.body).toBe(200);
    expect(linksOf(await read(second.id))).toEqual(into);
    expect(linksOf(await read(third.id))).toEqual(into);
  });

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

  it('may be merged: every mix then plays the one that is left, with the details of both', async () => {
    const [first, second] = [await seed(), await seed()];
    const a = await save(first.id, [{ ...line('Disclosure', 'Latch', 0), details: FULL }]);
    const b = await save(second.id, [
      { ...line('Disclosure', 'Latch'), details: { version: 'Dub', isrc: 'GBUM71206199' } },
    ]);
    const [from, into] = [linksOf(b)[0] ?? '', linksOf(a)[0] ?? ''];
    // Entered wrongly: now two recordings have one ISRC, which both of them say.
    const [dub] = await listAll('?search=dub');
    const details = { ...dub?.details, isrc: FULL.isrc };
    const url = `/api/admin/recordings/${from}`;
    const corrected = await answer<Recording>('PATCH', url, { updatedAt: dub?.updatedAt, details });
    const twins = (id: string) => [
      { kind: 'sharedIsrc', recordings: [{ id, artist: 'Disclosure', title: 'Latch' }] },
    ];
    expect(corrected.problems.slice(-1)).toEqual(twins(into));
    expect((await read(first.id)).entries[0]?.problems).toEqual(twins(from));
    expect((await listAll('?gap=sharedIsrc')).map(({ id }) => id).toSorted()).toEqual(
      [from, into].toSorted(),
    );
    const outdated = await ask('PATCH', url, { updatedAt: dub?.updatedAt, title: 'Late' });
    expect(outdated.json()).toMatchObject({ code: 'recording_changed' });
    expect((await ask('POST', `${url}/merge`, { into: from })).statusCode).toBe(400);
    expect((await ask('POST', `${url}/merge`, { into: 'none' })).statusCode).toBe(404);
    const { db } = test.deps.database;
    const past = { track_id: second.id, until_at: 1, duration_ms: 1 };
    const { chapters } = await readTrack(db, second.id);
    await db
      .insertInto('past_tracklists')
      .values({ ...past, chapters })
      .execute();
    const merged = await answer<Recording>('POST', `${url}/merge`, { into });
    expect(merged).toMatchObject({ id: into, tracks: 2, problems: [] });
    expect(merged.details).toEqual({ ...FULL, version: 'Dub' });
    expect(linksOf(await read(second.id))).toEqual([into]);
    const kept = await db.selectFrom('past_tracklists').select('chapters').executeTakeFirst();
    expect(kept?.chapters).toContain(into);
    expect((await ask('PATCH', url, { updatedAt: 1, title: 'Gone' })).statusCode).toBe(404);
    const { client: admin } = await createAdmin(test);
    const audit = await admin.request({ url: `/api/admin/audit?subject=${into}` });
    expect(audit.json<Page<AuditEntry>>().items[0]).toMatchObject({
      action: 'recording.merged',
      changes: expect.arrayContaining([{ field: 'version', before: null, after: 'Dub' }]),
    });
  });

  it('go once no mix plays them, nor did before its audio was replaced', async () => {
    const track = await seed();
    const names = ['Stays', 'Was played', 'Goes'];
    const lines = names.map((title) => ({ ...line('A', title), details: { label: 'L' } }));
    const [stays, past] = linksOf(await save(track.id, lines));
    const { db } = test.deps.database;
    await db
      .insertInto('past_tracklists')
      .values({
        track_id: track.id,
        until_at: 1,
        duration_ms: 1,
        chapters: JSON.stringify([{ ...line('A', 'Was played'), recordingId: past }]),
      })
      .execute();
    await save(track.id, [line('A', 'Stays')]);
    const sweep = () => sweepExpired(db, { now: test.clock.now(), isDemo: false });
    await sweep();
    expect(await listAll()).toHaveLength(3);
    test.clock.advance(2 * DAY);
    await sweep();
    const left = await listAll();
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([stays, past]));
  });
});
