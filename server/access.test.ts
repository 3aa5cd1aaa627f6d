import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_ENDS, type FileEnds } from '#contract/rules/allowed-files.ts';
import { changeSettings } from './db/settings.ts';
import type { TracksTable } from './db/types/tables.ts';
import { probeQueue } from './jobs/jobs-handle.ts';
import { readAccessTable, type AccessRow } from './testing/access/access-table.ts';
import type { AccessSite } from './testing/access/asked.ts';
import { ask, toRequest } from './testing/access/ask.ts';
import { createPerson, ROLES, type Person, type Role } from './testing/access/people.ts';
import { MAIL_WEBHOOK_SECRET, requests } from './testing/access/requests.ts';
import { createThings, createTracks, putBackAll, takeDownAll } from './testing/access/things.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';

let folder: string;
let test: TestApp;
let site: AccessSite;

/** Just enough of a build that its files are served. */
async function writeWebApp(root: string) {
  await mkdir(join(root, 'assets'), { recursive: true });
  const template = await readFile(join(import.meta.dirname, '../web/index.html'), 'utf8');
  await writeFile(join(root, 'index.html'), template);
  for (const name of ['assets/app.js', 'icon.svg', 'service-worker.js'])
    await writeFile(join(root, name), '');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-access-'));
  await writeWebApp(folder);
  // Production, where demo accounts and the outbox are off.
  const env = { APP_ORIGIN: 'http://127.0.0.1:3000' };
  test = await createTestApp({
    env,
    config: { webRoot: folder, mailWebhookSecret: MAIL_WEBHOOK_SECRET },
  });
  const { db } = test.deps.database;
  await changeSettings(db, { areMomentsOn: true }, test.clock.now());
  test.deps.jobs.attach({ wake: () => {}, probe: () => probeQueue(db, test.clock.now()) });
  const parts = { app: test.app, deps: test.deps, sandbox: test.sandbox };
  const tracks = await createTracks(test.deps);
  const owner = await createPerson(test.deps, 'free');
  site = { ...parts, tracks, things: createThings(parts, tracks), owner };
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const table = await readAccessTable();

/** Fastify adds a HEAD to every GET. */
function listRoutes(): string[] {
  const all = test.app.routeList.flatMap(({ method, url }) =>
    [method].flat().map((name) => `${name} ${url}`),
  );
  const known = new Set(all);
  const isAdded = (route: string) =>
    route.startsWith('HEAD ') && known.has(route.replace('HEAD', 'GET'));
  return [...known].filter((route) => !isAdded(route)).toSorted();
}

/** People who only read can be asked again; whoever writes is new each time. */
const readers = new Map<Role, Promise<Person>>();
function findPerson(route: string, role: Role): Promise<Person> {
  if (!route.startsWith('GET ') || route.includes('/subscription/'))
    return createPerson(test.deps, role);
  const known = readers.get(role) ?? createPerson(test.deps, role);
  readers.set(role, known);
  return known;
}

const isOwner = (role: Role) => role !== 'visitor' && role !== 'other';

type Extra = { headers?: Record<string, string>; beforeAsking?: () => Promise<unknown> };

async function askAs(row: AccessRow, role: Role, extra: Extra = {}): Promise<string> {
  const { answer, person } = await askFor(row, role, extra);
  // An administrator sees everyone's data, and nobody else does.
  if (role !== 'admin' && person !== site.owner && answer.body.includes(site.owner.email))
    return `${answer.words} with data of someone else`;
  return answer.words;
}

async function askFor(row: AccessRow, role: Role, { headers: extra, beforeAsking }: Extra = {}) {
  const person = await findPerson(row.route, role);
  const owner = isOwner(role) ? person : site.owner;
  const asked = (await requests[row.name]?.(site, owner, person)) ?? {};
  const request = toRequest(row.route, asked, person);
  const headers = { ...request.headers, ...extra };
  await beforeAsking?.();
  return { answer: await ask(test.app, { ...request, headers }), person };
}

/** What a client sends that wants to pass for another one, or for another request. */
const SPOOFED = {
  'x-forwarded-for': '127.0.0.1, ::1',
  'x-forwarded-host': 'localhost',
  'x-forwarded-proto': 'https',
  forwarded: 'for=127.0.0.1;host=localhost;proto=https',
  'x-real-ip': '127.0.0.1',
  'x-original-url': '/api/version',
  'x-rewrite-url': '/api/version',
  'x-http-method-override': 'GET',
  'x-user-id': 'admin',
  'x-remote-user': 'admin',
};

describe('docs/access.md', () => {
  it('has a row for every route of the running server, and no other', () => {
    const listed = [...new Set(table.map(({ route }) => route))].toSorted();
    expect(listed).toEqual(listRoutes());
  });

  it('has each row once, and a row for every prepared request', () => {
    const names = table.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(Object.keys(requests).filter((name) => !names.includes(name))).toEqual([]);
  });

  // Vitest would cut a `$name` off.
  it.each(table.map((row) => [row.name, row] as const))(
    'says what everyone gets: %s',
    async (_name, row) => {
      const answers: Record<string, string> = {};
      for (const role of ROLES) answers[role] = await askAs(row, role);
      answers['a visitor with forged headers'] = await askAs(row, 'visitor', { headers: SPOOFED });
      expect(answers).toEqual({
        ...row.answers,
        'a visitor with forged headers': row.answers.visitor,
      });
    },
  );
});

describe('a mix that can only be streamed', () => {
  const setMixes = (change: Partial<TracksTable>) =>
    test.deps.database.db.updateTable('tracks').set(change).execute();
  const isFileToKeep = (words: string) => /\b(?:mp3|flac)\b/.test(words);

  const giving = table.filter(({ answers }) => Object.values(answers).some(isFileToKeep));

  it('has rows in the table that give its files while it has downloads', () => {
    expect(new Set(giving.map(({ route }) => route.replace(/\/:name$/, '')))).toEqual(
      new Set([
        'GET /rest/*',
        'GET /feed/:token/:id/:file',
        'GET /media/downloads/:trackId/:format',
      ]),
    );
  });

  /** An address of a file to keep, or its format or size. */
  const OFFER = /\/media\/downloads\/\w|high-quality|"formats":\["|"(?:mp3|flac)":\d/;

  it('is offered somewhere while it has downloads', async () => {
    const row = table.find(({ name }) => name === 'GET /api/tracks/:id · released');
    if (!row) throw new Error('No row for a released mix.');
    expect(OFFER.test((await askFor(row, 'subscriber')).answer.body)).toBe(true);
  });

  const setSite = (ends: Partial<FileEnds>) =>
    changeSettings(test.deps.database.db, ends, test.clock.now());
  const restore = async () => {
    await setSite(NO_ENDS);
    await setMixes({ has_downloads: 1, has_lossless: 1 });
  };

  // The same guard answers for the whole site, so the rows that give files are enough.
  it.each(giving.map((row) => [row.name, row] as const))(
    'gives nobody a file of a site that ended downloads, or says that they have it: %s',
    async (_name, row) => {
      const files = Object.values(site.tracks).map(({ id }) => `"${id}-mp3.bin"`);
      const known = { 'if-none-match': files.join(', ') };
      expect((await askFor(row, 'subscriber', { headers: known })).answer.words).toBe('304');
      const kept: string[] = [];
      for (const role of ROLES)
        for (const headers of [{}, known]) {
          const beforeAsking = () => setSite({ downloadsEnd: test.clock.now() });
          const { words } = (await askFor(row, role, { beforeAsking, headers })).answer;
          await restore();
          if (isFileToKeep(words) || words.startsWith('304')) kept.push(`${role}: ${words}`);
        }
      expect(kept).toEqual([]);
    },
  );

  it.each([
    ['the site', () => setSite({ losslessEnd: test.clock.now() })],
    ['the mix', () => setMixes({ has_lossless: 0 })],
  ])('keeps its MP3 where %s ended lossless files alone', async (_whose, endLossless) => {
    const subscriber = await createPerson(test.deps, 'subscriber');
    const headers = { cookie: subscriber.cookie };
    const startDownload = (format: string) =>
      test.app.inject({
        method: 'POST',
        url: `/api/tracks/${site.tracks.released.id}/download`,
        headers,
        payload: { format },
      });
    const openBoth = async () => {
      const urls = [(await startDownload('mp3')).json<{ url: string }>().url, flac];
      const answers = urls.map((url) => ask(test.app, { method: 'GET', url }));
      return (await Promise.all(answers)).map(({ words }) => words);
    };
    const flac = (await startDownload('flac')).json<{ url: string }>().url;
    expect(await openBoth()).toEqual(['200 mp3', '200 flac']);
    await endLossless();
    expect(await openBoth()).toEqual(['200 mp3', '403 files_off']);
    expect((await startDownload('flac')).json()).toMatchObject({ code: 'files_off' });
    await restore();
  });

  // Links, addresses and sessions are made while there are downloads.
  it.each(table.map((row) => [row.name, row] as const))(
    'gives and offers nobody a file to keep: %s',
    async (_name, row) => {
      const kept: string[] = [];
      for (const role of ROLES) {
        const beforeAsking = () => setMixes({ has_downloads: 0 });
        const { answer } = await askFor(row, role, { beforeAsking });
        await setMixes({ has_downloads: 1 });
        if (isFileToKeep(answer.words) || OFFER.test(answer.body))
          kept.push(`${role}: ${answer.words}`);
      }
      expect(kept).toEqual([]);
    },
  );
});

describe('a mix that was taken down', () => {
  const listeners = ['visitor', 'free', 'subscriber'] as const;
  // Who is refused anyway gets nothing of it.
  const answered = table.filter((row) =>
    listeners.some((role) => row.answers[role].startsWith('2')),
  );
  const isAudio = (words: string) => /\b(?:stream|dataSaver|preview|mp3|flac)\b/.test(words);

  it('has rows in the table that give its audio before', () => {
    const giving = table.filter(({ answers }) => listeners.some((role) => isAudio(answers[role])));
    expect(new Set(giving.map(({ route }) => route.replace(/\/:name$/, '')))).toEqual(
      new Set([
        'GET /rest/*',
        'GET /feed/public/:id/preview',
        'GET /feed/public/:id/preview.mp3',
        'GET /feed/:token/:id/:file',
        'GET /media/casts/:id/:rendition',
        'GET /media/downloads/:trackId/:format',
        'GET /media/tracks/:id/:rendition',
      ]),
    );
  });

  // Links, addresses, sessions and plays are made before.
  it.each(answered.map((row) => [row.name, row] as const))(
    'is not given to anybody, nor named: %s',
    async (_name, row) => {
      const given: string[] = [];
      for (const role of listeners) {
        const { db } = test.deps.database;
        const { answer } = await askFor(row, role, { beforeAsking: () => takeDownAll(db) });
        await putBackAll(db);
        const isNamed = [site.tracks.released, site.tracks.early, site.tracks.forSubscribers].some(
          ({ id }) => answer.body.includes(id),
        );
        if (isAudio(answer.words) || isNamed) given.push(`${role}: ${answer.words}`);
      }
      expect(given).toEqual([]);
    },
  );
});
