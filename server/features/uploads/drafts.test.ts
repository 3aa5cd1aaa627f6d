/** @module-tag both-databases */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CatalogueDetail, type CatalogueTrack } from '#contract/admin/catalogue.ts';
import { Upload } from '#contract/admin/uploads.ts';
import { TrackDetail } from '#contract/tracks.ts';
import { fetchToDisk } from '../../ports/storage/storage.ts';
import { readTrackFiles, seedTrack } from '../../testing/seed-track.ts';
import { buildId3, convertAll, openEngine, textFrame } from '../../ports/media/testing/samples.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { addWavTags, writeToneWav } from '../../testing/tone-wav.ts';
import { HOUR } from '#contract/rules/time.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';
import { createWorker } from '../../jobs/worker.ts';
import { ingestTrack } from '../ingest/jobs.ts';
import { completeUpload, readUploadTags } from './jobs.ts';

let test: TestApp;
let admin: TestClient;
let uploader: ReturnType<typeof createUploader>;
/** Different lengths give different files. */
const tone = (seconds: number) => writeToneWav({ seconds, loudFrom: 1 });

beforeAll(async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  uploader = createUploader(admin);
});
afterAll(() => test.close());

const read = async (url: string): Promise<Upload> =>
  Upload.parse((await admin.request({ url: `${url}/details` })).json());
const begin = async (bytes: Buffer, filename = 'wk47-pool-lights.wav') =>
  String((await uploader.create(bytes.length, { filename })).headers.location);
const save = (url: string, payload: object) =>
  admin.request({ method: 'PUT', url: `${url}/draft`, payload });

/** Makes tracks of what was uploaded, for tests that don't look at the audio: nothing is encoded. */
async function completeUploads() {
  const jobs = [readUploadTags, completeUpload];
  await createWorker({ deps: test.deps, jobs, defined: jobs }).runDue();
  await test.deps.database.db.deleteFrom('jobs').where('name', '=', ingestTrack.name).execute();
}

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/** The same file with chapters before its audio, as podcast tools write them. */
function addChapters(wav: Buffer, chapters: readonly [startMs: number, title: string][]): Buffer {
  const frames = chapters.map(([startMs, title], index) => {
    const times = uint32(startMs, startMs + 1, 0xffffffff, 0xffffffff);
    const subframe = buildId3([textFrame('TIT2', title)]).subarray(10);
    return { id: 'CHAP', body: Buffer.concat([Buffer.from(`ch${index}\0`), times, subframe]) };
  });
  const tag = buildId3(frames);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(tag.length);
  const pad = Buffer.alloc(tag.length % 2);
  const head = wav.subarray(0, 36);
  const tagged = Buffer.concat([head, Buffer.from('ID3 '), size, tag, pad, wav.subarray(36)]);
  tagged.writeUInt32LE(tagged.length - 8, 4);
  return tagged;
}

describe('a draft during the upload', () => {
  itOnSqlite('wins over the tags and the file name, and becomes the track', async () => {
    const bytes = tone(2);
    const url = await begin(bytes);
    expect(await read(url)).toMatchObject({ title: 'Pool Lights', week: 47, year: 2026 });
    const at = test.clock.now() + HOUR;
    const saved = await save(url, {
      version: 0,
      title: 'Pool <i>Lights</i>',
      genre: 'Deep house',
      chapters: [{ at: 1, title: 'Two', artist: null }],
      release: { kind: 'at', at },
    });
    expect(saved.json()).toMatchObject({ title: 'Pool <i>Lights</i>', version: 1 });
    await uploader.patch(url, 0, bytes);
    await test.worker.runDue();
    expect((await read(url)).track).toMatchObject({
      title: 'Pool <i>Lights</i>',
      genre: 'Deep house',
      weekNumber: 47,
      state: 'scheduled',
      publishAt: at,
    });
    expect((await save(url, { version: 1, title: 'Late' })).json()).toMatchObject({
      code: 'upload_over',
    });
  });

  it('is completed from the first bytes of the file, but never overwritten', async () => {
    const bytes = addWavTags(tone(3), {
      INAM: 'Words <b>of</b> the file',
      IGNR: 'Kwaito',
      ICMT: 'Recorded at home',
    });
    const url = await begin(bytes);
    await uploader.patch(url, 0, bytes.subarray(0, 100_000));
    await completeUploads();
    expect(await read(url)).toMatchObject({
      state: 'uploading',
      title: 'Words of the file',
      genre: 'Kwaito',
      description: 'Recorded at home',
      draft: {},
      version: 0,
    });
    await save(url, { version: 0, title: 'Typed', previewStart: 1 });
    await uploader.patch(url, 100_000, bytes.subarray(100_000));
    await completeUploads();
    const { track } = await read(url);
    expect(track).toMatchObject({ title: 'Typed', genre: 'Kwaito' });
  });

  itOnSqlite.each([
    ['FLAC', ['-c:a', 'flac', '-f', 'flac']],
    ['MP3', ['-c:a', 'libmp3lame', '-f', 'mp3']],
  ])(
    'names the artists in the tags of a %s, and never the site as its own guest',
    async (_, to) => {
      const ffmpeg = await openEngine('default');
      const folder = await mkdtemp(join(tmpdir(), 'tagged-'));
      const wav = join(folder, 'a.wav');
      await writeFile(wav, tone(2));
      const artistsOf = async (artist: string) => {
        const tagged = join(folder, 'tagged');
        await convertAll(ffmpeg, wav, [
          { to: tagged, args: ['-metadata', `artist=${artist}`, ...to] },
        ]);
        const url = await uploader.upload(await readFile(tagged), { filename: `${artist}.audio` });
        await completeUploads();
        const { track } = await read(url);
        const detail = await admin.request({ url: `/api/admin/tracks/${track?.id}` });
        return detail.json<{ artists: { name: string }[] }>().artists.map(({ name }) => name);
      };
      expect(await artistsOf('Thula; Relay <b>Room</b>;thula ;')).toEqual(['Thula', 'Relay Room']);
      expect(await artistsOf('WEEKENDER')).toEqual([]);
      expect(await artistsOf('Various Artists')).toEqual([]);
      await rm(folder, { recursive: true });
    },
  );

  itOnSqlite(
    'gets the chapters of the file as its tracklist, unless someone typed one',
    async () => {
      const bytes = addChapters(tone(10), [
        [0, 'Relay Room - Substation'],
        [4_500, '<i>Log Drum</i>'],
      ]);
      const chapters = [
        { at: 0, title: 'Substation', artist: 'Relay Room' },
        { at: 4.5, title: 'Log Drum', artist: null },
      ];
      const [url, other] = [await begin(bytes), await begin(bytes)];
      for (const each of [url, other]) await uploader.patch(each, 0, bytes.subarray(0, 100_000));
      await completeUploads();
      // Someone sees them while the file uploads, and nothing is typed yet.
      expect(await read(url)).toMatchObject({ chapters, draft: {} });
      await save(other, { version: 0, chapters: [{ at: 1, title: 'Typed', artist: null }] });
      expect((await read(other)).chapters).toEqual([{ at: 1, title: 'Typed', artist: null }]);
      await uploader.patch(url, 100_000, bytes.subarray(100_000));
      await completeUploads();
      const { track } = await read(url);
      const detail = await admin.request({ url: `/api/admin/tracks/${track?.id}` });
      expect(detail.json()).toMatchObject({ chapters });
    },
  );

  itOnSqlite.each([
    [{ week: 54, year: 2026 }, 'week'],
    [{ year: 1800, week: 1 }, 'year'],
    [{ release: { kind: 'at', at: 5 } }, 'release'],
    [{ title: '' }, 'title'],
  ])('is refused with the invalid field: %j', async (change, field) => {
    const url = await begin(tone(2));
    const answer = await save(url, { version: 0, ...change });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ fields: object }>().fields).toHaveProperty(field);
    expect((await read(url)).draft).toEqual({});
  });

  it('refuses the second of two concurrent edits', async () => {
    const url = await begin(tone(2));
    await save(url, { version: 0, title: 'First' });
    expect((await save(url, { version: 0, title: 'Second' })).json()).toMatchObject({
      code: 'upload_changed',
    });
    expect((await read(url)).title).toBe('First');
  });
});

describeOnSqlite('new audio for a track', () => {
  it('keeps its URL, plays and favorites, and the old audio until the new one can play', async () => {
    const first = await uploader.upload(tone(3), { filename: 'wk10-mix.wav' });
    await test.worker.runDue();
    const before = (await read(first)).track;
    const id = before?.id ?? '';
    await admin.request({
      method: 'POST',
      url: '/api/admin/tracks/bulk',
      payload: { action: 'publish', ids: [id] },
    });
    const { client } = await createSubscriber(test, 'zanele');
    await client.request({ method: 'POST', url: `/api/tracks/${id}/favorite` });
    const play = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
    expect(play.statusCode).toBe(200);

    const url = await uploader.upload(tone(4), { filename: 'wk10-fixed.wav', replaces: id });
    const during = await client.request({ url: `/media/tracks/${id}/stream` });
    expect(during.statusCode).toBe(200);
    await test.worker.runDue();
    const after = await read(url);
    expect(after).toMatchObject({ state: 'finished', replaces: { id } });
    expect(after.track).toMatchObject({ id, duration: 4, state: 'published', progress: 100 });
    expect(after.track?.figures.favorites).toBe(1);
    const now = await client.request({ url: `/media/tracks/${id}/stream` });
    expect(now.rawPayload.equals(during.rawPayload)).toBe(false);

    // An invalid file does not change the audio that plays.
    const silent = tone(5).fill(0, 44);
    const bad = await uploader.upload(silent, { filename: 'silent.wav', replaces: id });
    await test.worker.runDue();
    expect((await read(bad)).track).toMatchObject({
      state: 'published',
      failure: expect.stringMatching(/silent/) as string,
    });
    const still = await client.request({ url: `/media/tracks/${id}/stream` });
    expect(still.rawPayload.equals(now.rawPayload)).toBe(true);
  });
});

describe('new audio for a track that someone is editing', () => {
  it('doesn’t count as an edit, and of a shorter file listeners get no time past its end', async () => {
    const chapters = [
      { at: 0, artist: 'Relay Room', title: 'Substation' },
      { at: 2.25, artist: 'Kasi Voltage', title: 'Umlazi Siren' },
      { at: 4, artist: null, title: 'Salt' },
    ];
    const { database, storage } = test.deps;
    const { id } = await seedTrack(
      { db: database.db, storage, now: test.clock.now() },
      { week: 12, duration_ms: 5000, chapters: JSON.stringify(chapters) },
    );
    const path = `/api/admin/tracks/${id}`;
    const load = async () => CatalogueDetail.parse((await admin.request({ url: path })).json());
    const edit = (payload: object) => admin.request({ method: 'PATCH', url: path, payload });
    const { version } = await load();

    await uploader.upload(tone(2.25), { filename: 'wk12-short.wav', replaces: id });
    await test.worker.runDue();
    expect(await load()).toMatchObject({ duration: 2.25, version, chapters });
    expect((await edit({ title: 'Shorter', version })).statusCode).toBe(200);
    expect((await edit({ title: 'Someone else’s', version })).json()).toMatchObject({
      code: 'track_changed',
    });

    const { client } = await createSubscriber(test, 'thandi');
    const { body } = await client.request({ url: `/api/tracks/${id}` });
    const { chapters: served } = TrackDetail.parse(JSON.parse(body));
    expect(served.map(({ at }) => at)).toEqual([0, null, null]);
    expect(served.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title));
    const files = await readTrackFiles(database.db, id);
    const media = await test.deps.media();
    for (const { key } of files.filter(({ name }) => name === 'mp3' || name === 'flac')) {
      const copy = join(test.deps.config.dataDir, key.split('/').at(-1) ?? '');
      const file = await fetchToDisk(storage, key, copy);
      expect(((await media.probe(file)).tags.chapters ?? []).map(({ at }) => at)).toEqual([0]);
    }
  });
});

describeOnSqlite('new audio for a deleted track', () => {
  it('is refused at the start, or when the track is deleted meanwhile, and leaves no file', async () => {
    const first = await uploader.upload(tone(7), { filename: 'wk11-mix.wav' });
    await completeUploads();
    const id = (await read(first)).track?.id ?? '';
    const url = await uploader.upload(tone(8), { filename: 'wk11-fixed.wav', replaces: id });
    await admin.request({
      method: 'POST',
      url: '/api/admin/tracks/bulk',
      payload: { action: 'delete', ids: [id] },
    });
    await completeUploads();
    expect(await read(url)).toMatchObject({
      state: 'refused',
      failure: expect.stringMatching(/has been deleted/) as string,
    });
    expect(await readdir(join(test.deps.config.dataDir, 'uploads'))).not.toContain(
      url.split('/').at(-1),
    );
    const late = await uploader.create(1000, { filename: 'late.wav', replaces: id });
    expect(late.statusCode).toBe(404);
  });
});

describe('the basic upload form', () => {
  const boundary = 'form-boundary';
  const post = (parts: readonly [string, string | Buffer][], client = admin) => {
    const body = parts.map(([name, value]) => {
      const fileName = name === 'tracklistFile' ? 'wk9.cue' : 'wk9-plain.wav';
      const file = typeof value === 'string' ? '' : `; filename="${fileName}"`;
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
      return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]);
    });
    return client.request({
      method: 'POST',
      url: '/api/admin/basic-upload',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      payload: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
    });
  };
  const listFiles = () => readdir(join(test.deps.config.dataDir, 'uploads'));

  itOnSqlite('is processed like any other upload', async () => {
    const answer = await post([
      ['title', 'Plain & simple'],
      ['week', '9'],
      ['year', '2026'],
      ['tracklist', 'Tracklist:\n0:00 Somebody - Something'],
      ['file', tone(6)],
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('wk9-plain.wav uploaded.');
    expect(answer.body).toContain('Left out: line 1 looks like a heading: “Tracklist:”.');
    await test.worker.runDue();
    const found = await admin.request({ url: '/api/admin/tracks?q=plain' });
    const [track, ...more] = found.json<{ items: CatalogueTrack[] }>().items;
    expect(more).toEqual([]);
    expect(track).toMatchObject({ title: 'Plain & simple', weekNumber: 9, state: 'draft' });
    expect(track?.stages).toEqual(
      expect.arrayContaining(['analysis', 'preview', 'stream', 'downloads']),
    );
    const files = track?.files.map(({ name }) => name).toSorted();
    expect(files).toEqual(['dataSaver', 'flac', 'mp3', 'preview', 'stream']);
  });

  itOnSqlite.each([
    [
      'week',
      [
        ['week', '54'],
        ['file', tone(2)],
      ],
      /53 or less/,
    ],
    [
      'tracklist',
      [
        ['tracklist', '12:75 nonsense'],
        ['file', tone(2)],
      ],
      /Line 1/,
    ],
    [
      'a tracklist without tracks',
      [
        ['tracklist', '#EXTM3U\n#EXTINF:1,'],
        ['file', tone(2)],
      ],
      /Line 1 starts a tracklist \(playlist\) without any tracks\./,
    ],
    ['no file', [['title', 'Nothing']], /Choose an audio file/],
  ] as [string, [string, string | Buffer][], RegExp][])(
    'explains an invalid form (%s) and stores nothing',
    async (_name, parts, sentence) => {
      const before = await listFiles();
      const answer = await post(parts);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toMatch(sentence);
      expect(await listFiles()).toEqual(before);
    },
  );

  const cue = (...lines: string[]) =>
    Buffer.from(['TRACK 01 AUDIO', ...lines, 'INDEX 01 00:00:00'].join('\r\n'));

  it('takes a tracklist file, and shows what it understood line by line', async () => {
    // The newest of a page of uploads.
    test.clock.advance(1000);
    const answer = await post([
      ['tracklist', ''],
      ['tracklistFile', cue('TITLE "<b>Intro</b>"', 'TRACK 02 AUDIO')],
      ['file', tone(9)],
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Tracklist from wk9.cue (cue sheet)');
    expect(answer.body).toContain('<p>--:-- &lt;b&gt;Intro&lt;/b&gt;</p>');
    expect(answer.body).toContain('Left out: line 3 is missing a TITLE.');
    const { items } = (await admin.request({ url: '/api/admin/uploads' })).json<{
      items: Upload[];
    }>();
    expect(items.flatMap(({ draft }) => draft.chapters ?? [])).toContainEqual({
      at: null,
      title: '<b>Intro</b>',
      artist: null,
    });
  });

  itOnSqlite.each([
    [
      'no tracks',
      { tracklistFile: Buffer.from('<NML></NML>') },
      400,
      /wk9\.cue has no tracks that we understand\. Line 1/,
    ],
    [
      'more than 512 KB',
      { tracklistFile: Buffer.alloc(512 * 1024 + 1, '0:00 a - b\n') },
      413,
      /wk9\.cue is too large for a tracklist: use at most 512 KB\./,
    ],
    [
      'more text than the field takes',
      { tracklist: '0:00 a - b\n'.repeat(7000) },
      413,
      /tracklist: This text is too long\./,
    ],
  ])('refuses a tracklist with %s and stores nothing', async (_name, parts, status, sentence) => {
    const before = await listFiles();
    const answer = await post([...Object.entries(parts), ['file', tone(2)]]);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toMatch(sentence);
    expect(await listFiles()).toEqual(before);
  });

  itOnSqlite(
    'reads a tracklist in a thread of its own, so that a slow file stops nobody else',
    async () => {
      const threads: Worker[] = [];
      const addThread = (thread: Worker) => void threads.push(thread);
      process.on('worker', addThread);
      const answer = await post([
        ['tracklistFile', Buffer.from('0:00 Relay Room - Substation\n')],
        ['file', tone(11)],
      ]);
      process.off('worker', addThread);
      expect(answer.body).toContain('<p>0:00 Relay Room - Substation</p>');
      expect(threads).toHaveLength(1);
    },
  );

  itOnSqlite('is only for administrators', async () => {
    const { client } = await createSubscriber(test, 'nobody');
    expect((await post([['file', tone(2)]], client)).statusCode).toBe(404);
    expect((await post([['file', tone(2)]], test.createClient())).statusCode).toBe(401);
  });
});
