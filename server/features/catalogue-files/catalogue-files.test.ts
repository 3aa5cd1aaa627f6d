/** @module-tag both-databases */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parseFile } from 'music-metadata';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Recording } from '#contract/admin/recordings.ts';
import type { Page } from '#contract/paging.ts';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { readTracklist } from '#contract/tracklists/read-tracklist.ts';
import { TrackValues } from '#contract/track-fields.ts';
import { DAY } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { killAt } from '../../testing/kill-process.ts';
import { startS3Server, type TestS3 } from '../../testing/s3-server.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { buildCueSheet } from './cue-sheet.ts';
import { exportCatalogue } from './export-catalogue.ts';
import { finishImport, importCatalogue } from './import-catalogue.ts';
import { readCatalogue, type SavedCatalogue } from './manifest.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let site: TestApp;
let admin: TestUser;
let folder: string;
beforeEach(async () => {
  site = await createTestApp();
  admin = await createAdmin(site);
  folder = await mkdtemp(join(tmpdir(), 'test-catalogue-'));
});
afterEach(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const tone = (seconds: number) => writeToneWav({ seconds, loudFrom: 1 });

/** Uploads a mix and waits until it is processed. */
async function upload(fileName: string, seconds: number): Promise<string> {
  await createUploader(admin.client).upload(tone(seconds), { filename: fileName });
  await site.worker.runDue();
  const row = await site.deps.database.db
    .selectFrom('tracks')
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}
const readDetail = async (client: TestUser['client'], id: string): Promise<CatalogueDetail> =>
  (await client.request({ url: `/api/admin/tracks/${id}` })).json();
async function edit(id: string, change: object) {
  const { version } = await readDetail(admin.client, id);
  const url = `/api/admin/tracks/${id}`;
  const answer = await admin.client.request({
    method: 'PATCH',
    url,
    payload: { version, ...change },
  });
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
}
const drawPicture = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
const setPicture = async (url: string, background: string) => {
  const headers = { 'content-type': 'image/png' };
  const payload = await drawPicture(background);
  expect((await admin.client.request({ method: 'PUT', url, payload, headers })).statusCode).toBe(
    200,
  );
};

const DETAILS = { composer: 'R. “Relay” Room', isrc: 'ZAUM71900001', isOwn: true };
const CHAPTERS = [
  { at: 0, title: 'Substation "Intro"', artist: 'Relay Room', details: DETAILS },
  { at: null, title: 'Unknown white label', artist: null },
  { at: 1.4, title: 'Łódź: The Re-Edit', artist: 'Ünïted & Co' },
];

/** A mix with everything an administrator can edit, and one that comes out later. */
async function fillSite() {
  const full = await upload('2026-W12 Golden Hour.wav', 3);
  const { db } = site.deps.database;
  await edit(full, {
    title: 'Golden Hour: “Live” / Part 1',
    artists: [{ name: 'Relay Room' }, { name: 'Guest' }],
    week: 13,
    year: 2025,
    genre: 'Amapiano',
    bpm: 113,
    description: 'Log drums.\n\nSecond paragraph with “quotes” and ümlauts.',
    chapters: CHAPTERS,
    isSubscriberOnly: true,
    previewStart: 0.5,
    release: { kind: 'now' },
  });
  await setPicture(`/api/admin/tracks/${full}/cover`, '#c52');
  const artist = await db
    .selectFrom('artists')
    .selectAll()
    .orderBy('name_key')
    .executeTakeFirstOrThrow();
  const artistUrl = `/api/admin/artists/${artist.id}`;
  const payload = {
    version: artist.version,
    about: 'Plays at night.',
    links: ['https://example.com/guest'],
  };
  expect(
    (await admin.client.request({ method: 'PATCH', url: artistUrl, payload })).statusCode,
  ).toBe(200);
  await setPicture(`${artistUrl}/picture`, '#25c');
  const scheduled = await upload('2026-W50 Rain.wav', 2);
  const at = site.clock.now() + 10 * DAY;
  await edit(scheduled, { release: { kind: 'at', at } });
  await site.worker.runDue();
  return { full, scheduled };
}

const run = (options: Parameters<typeof exportCatalogue>[2] = { report: () => undefined }) =>
  exportCatalogue(site.deps, folder, options);

async function bring(test: TestApp, from = folder) {
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const catalogue = (await readCatalogue(from)) as SavedCatalogue;
  const result = await importCatalogue(test.deps, from, catalogue, report);
  const pause = () => test.worker.runDue();
  const failed = await finishImport(test.deps, result.created, { report, pause });
  await test.worker.runDue();
  return { ...result, failed, lines };
}

const readRows = (test: TestApp) =>
  test.deps.database.db.selectFrom('tracks').selectAll().orderBy('id').execute();

/** Whatever the other site must have too. */
async function readWhole(test: TestApp, client: TestUser['client']) {
  const { storage, database } = test.deps;
  const read = async (key: string | null) => {
    const file = key ? await storage.open(key) : null;
    return file && (await buffer(file.stream)).toString('base64');
  };
  const describe = async (row: TracksTable) => {
    const detail = await readDetail(client, row.id);
    const names = Object.keys(TrackValues.shape) as (keyof TrackValues)[];
    return {
      id: row.id,
      values: Object.fromEntries(names.map((name) => [name, detail[name]])),
      status: row.status,
      announcedAt: row.announced_at,
      createdAt: row.created_at,
      duration: row.duration_ms,
      sha256: row.master_sha256,
      master: await read(row.master_key),
      cover: await read(row.cover_key),
    };
  };
  const artists = await database.db.selectFrom('artists').selectAll().orderBy('id').execute();
  const recordings = await client.request({ url: '/api/admin/recordings' });
  return {
    recordings: recordings
      .json<Page<Recording>>()
      .items.map(({ id, artist, title, details }) => ({ id, artist, title, details })),
    tracks: await Promise.all((await readRows(test)).map(describe)),
    artists: await Promise.all(
      artists.map(async ({ id, name, about, links, picture_key }) => ({
        id,
        name,
        about,
        links,
        picture: await read(picture_key),
      })),
    ),
  };
}

const withSite = async (work: (test: TestApp) => Promise<void>, storage?: Storage) => {
  const test = await createTestApp(storage ? { storage } : {});
  try {
    await work(test);
  } finally {
    await test.close();
  }
};

async function withS3(work: (storage: Storage) => Promise<void>) {
  const server: TestS3 = await startS3Server();
  try {
    await work(createS3Storage(server.settings));
  } finally {
    await server.close();
  }
}

it('a catalogue comes back on an empty site with every field and every byte', async () => {
  const { full } = await fillSite();
  expect(await run()).toEqual({ saved: 2, unchanged: 0, failed: 0 });
  const here = await readWhole(site, admin.client);
  expect(here.recordings).toMatchObject([{ artist: 'Relay Room', details: DETAILS }]);
  const catalogue = await readCatalogue(folder);
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual([
    '2025-W13 Golden Hour “Live” Part 1',
    '2026-W50 Rain',
    'artists',
    'catalogue.json',
  ]);
  for (const { audio, cover, cueSheet, downloads } of catalogue?.tracks ?? [])
    for (const file of [audio, cover, cueSheet, ...downloads])
      if (file)
        expect(await hashFile(join(folder, file.path))).toEqual({
          size: file.size,
          sha256: file.sha256,
        });

  // What another program makes of it.
  const saved = catalogue?.tracks.find(({ id }) => id === full);
  expect(saved?.audio?.kind).toBe('original');
  for (const { path } of saved?.downloads ?? []) {
    const { common } = await parseFile(join(folder, path));
    expect(common).toMatchObject({ title: 'Golden Hour: “Live” / Part 1', year: 2025, bpm: 113 });
    expect(common.picture).toHaveLength(1);
  }
  const cue = await readFile(join(folder, saved?.cueSheet?.path ?? ''), 'utf8');
  expect(readTracklist(cue)).toMatchObject({
    problems: [],
    chapters: [
      { title: "Substation ''Intro''", details: DETAILS },
      { title: 'Unknown white label' },
      { at: 1.4 },
    ],
  });

  await withS3((storage) =>
    withSite(async (other) => {
      const client = (await createAdmin(other)).client;
      const first = await bring(other);
      expect([first.created.length, first.refused, first.failed]).toEqual([2, 0, 0]);
      expect(await readWhole(other, client)).toEqual(here);
      // The same folder again changes nothing.
      const rows = await readRows(other);
      const again = await bring(other);
      expect([again.created.length, again.known, again.refused]).toEqual([0, 2, 0]);
      expect(await readRows(other)).toEqual(rows);
      // And what that site exports is the same again.
      const second = await mkdtemp(join(tmpdir(), 'test-catalogue-'));
      await exportCatalogue(other.deps, second, { report: () => undefined });
      const strip = (each: SavedCatalogue | null) => ({
        artists: each?.artists,
        recordings: each?.recordings,
        tracks: each?.tracks.map(({ downloads: _downloads, ...track }) => track),
      });
      expect(strip(await readCatalogue(second))).toEqual(strip(catalogue));
      await rm(second, { recursive: true, force: true });
    }, storage),
  );
});

itOnSqlite('an export continues where it stopped, and follows what has changed', async () => {
  const first = await upload('2026-W12 Golden Hour.wav', 2);
  await upload('2026-W13 Rain.wav', 3);
  const { storage } = site.deps;
  const { open } = storage;
  let opened = 0;
  const full = (): Readable =>
    new Readable({
      read() {
        this.destroy(
          Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
        );
      },
    });
  storage.open = async (...input) => {
    opened += 1;
    const file = await open(...input);
    if (opened <= 3 || !file) return file;
    file.stream.destroy();
    return { ...file, stream: full() };
  };
  await expect(run()).rejects.toThrow(/is full after 1 of 2 mixes\. .* it continues\./);
  storage.open = open;
  expect(await readCatalogue(folder)).toBeNull();
  expect(await run()).toEqual({ saved: 1, unchanged: 1, failed: 0 });
  expect(await run()).toEqual({ saved: 0, unchanged: 2, failed: 0 });
  await edit(first, { title: 'Blue Hour' });
  await site.worker.runDue();
  expect(await run()).toEqual({ saved: 1, unchanged: 1, failed: 0 });
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['2026-W12 Blue Hour', '2026-W13 Rain', 'catalogue.json']),
  );
  expect(await readdir(folder)).toHaveLength(3);
  // A file that was cut short is written again.
  await truncate(join(folder, '2026-W13 Rain', 'original.wav'), 10);
  expect(await run()).toEqual({ saved: 1, unchanged: 1, failed: 0 });
});

itOnSqlite(
  'an export says before it starts that the disk is too small, and which mixes are damaged',
  async () => {
    const id = await upload('2026-W12 Golden Hour.wav', 2);
    await expect(run({ report: () => undefined, readFree: async () => 1000 })).rejects.toThrow(
      /needs \d MB more, and the disk of .* has 1 MB left\. Choose a folder on a larger disk\./,
    );
    const row = (await readRows(site)).find((track) => track.id === id);
    await site.deps.storage.put(row?.master_key ?? '', Buffer.from('other bytes'));
    const lines: string[] = [];
    expect(await run({ report: (line) => lines.push(line) })).toEqual({
      saved: 0,
      unchanged: 0,
      failed: 1,
    });
    expect(lines[0]).toContain('its original is damaged');
    // Without the original, the best file that was made of it.
    await site.deps.storage.delete(row?.master_key ?? '');
    expect(await run()).toMatchObject({ saved: 1, failed: 0 });
    expect((await readCatalogue(folder))?.tracks[0]?.audio?.kind).toBe('flac');
  },
);

itOnSqlite('an import refuses damaged files and continues after it was killed', async () => {
  await upload('2026-W12 Golden Hour.wav', 2);
  await upload('2026-W13 Rain.wav', 3);
  await run();
  const audio = join(folder, '2026-W13 Rain', 'original.wav');
  const bytes = await readFile(audio);
  await writeFile(audio, Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])]));
  await withSite(async (other) => {
    const { restart } = killAt(other.deps.database, { count: 2, isAfter: false });
    await bring(other).catch(() => undefined);
    expect(restart()).toBe(true);
    const damaged = await bring(other);
    expect([damaged.created.length, damaged.refused]).toEqual([1, 1]);
    expect(damaged.lines.join('\n')).toContain('original.wav is damaged: it has changed');
    await writeFile(audio, bytes);
    const mended = await bring(other);
    expect([mended.created.length, mended.known, mended.refused]).toEqual([1, 1, 0]);
    expect(await readRows(other)).toMatchObject([
      { status: 'ready', publish_at: null },
      { status: 'ready', publish_at: null },
    ]);
    const masters = [];
    for await (const { key } of other.deps.storage.list('masters')) masters.push(key);
    expect(masters).toHaveLength(2);
  });
});

itOnSqlite.each([
  ['{', 'it isn’t JSON'],
  ['{"format":2}', 'can’t be imported: format'],
  [
    JSON.stringify({
      format: 1,
      siteName: '',
      exportedAt: 1,
      tracks: [],
      artists: [
        {
          id: 'a',
          fields: { name: 'A', about: '', links: [] },
          aliases: [],
          picture: { path: '../secret', size: 1, sha256: 'a'.repeat(64) },
        },
      ],
    }),
    'must be inside the folder',
  ],
])('a catalogue.json that isn’t ours is refused (%#)', async (text, reason) => {
  await writeFile(join(folder, 'catalogue.json'), text);
  await expect(readCatalogue(folder)).rejects.toThrow(reason);
});

itOnSqlite('a cue sheet has minutes above 99, and a time for every track', () => {
  const sheet = buildCueSheet({
    title: 'Long',
    performer: 'Weekender',
    fileName: 'Long.flac',
    chapters: [
      { at: 6061.2, title: 'Late', artist: null },
      { at: null, title: 'Later', artist: 'X' },
    ],
  });
  expect(sheet).toContain('FILE "Long.flac" WAVE');
  expect(sheet.match(/INDEX 01 \S+/g)).toEqual(['INDEX 01 101:01:15', 'INDEX 01 101:01:15']);
});

itOnSqlite(
  'a cue sheet can be read back, also a track without a time or with a dash in its title',
  () => {
    const chapters = [
      { at: 60, artist: 'A', title: 'B' },
      { at: null, artist: null, title: 'C - D' },
      { at: 120, artist: null, title: 'E' },
      { at: null, artist: 'F', title: 'G' },
    ];
    const sheet = buildCueSheet({ title: 'T', performer: 'P', fileName: 'T.flac', chapters });
    expect(readTracklist(sheet)).toEqual({ source: 'cue sheet', chapters, problems: [] });
  },
);
