import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from './db/settings.ts';
import { readAccessTable, type AccessRow } from './testing/access/access-table.ts';
import { ask, toRequest, type Answer } from './testing/access/ask.ts';
import type { AccessSite } from './testing/access/asked.ts';
import { createPerson, ROLES, type Role } from './testing/access/people.ts';
import { requests } from './testing/access/requests.ts';
import { createThings, createTracks, putBackAll, takeDownAll } from './testing/access/things.ts';
import { createTestApp, type TestApp } from './testing/test-app.ts';

const CDN = 'https://cdn.music.example';

let test: TestApp;
let site: AccessSite;
beforeAll(async () => {
  test = await createTestApp({ env: { APP_ORIGIN: 'http://127.0.0.1:3000', CDN_URL: CDN } });
  const parts = { app: test.app, deps: test.deps, sandbox: test.sandbox };
  const tracks = await createTracks(test.deps);
  const owner = await createPerson(test.deps, 'free');
  site = { ...parts, tracks, things: createThings(parts, tracks), owner };
});
afterAll(() => test.close());

const isAudio = (words: string) => /\b(?:stream|dataSaver|preview|mp3|flac)\b/.test(words);
const isOfAudio = ({ route }: AccessRow) =>
  /^GET \/(?:media\/(?:tracks|downloads|casts)|feed\/(?:public|:token)\/:id|rest)\//.test(route);
const rows = (await readAccessTable()).filter(isOfAudio);

/** The address in the answer, if it is one for the CDN, as the CDN asks for it: without a session. */
function toCdnPath(location: unknown): string | null {
  if (typeof location !== 'string' || !location.startsWith(`${CDN}/`)) return null;
  return location.slice(CDN.length);
}

const fetchAsCdn = (url: string): Promise<Answer> => ask(test.app, { method: 'GET', url });

async function askAs(row: AccessRow, role: Role) {
  const person = await createPerson(test.deps, role);
  const owner = role === 'visitor' || role === 'other' ? site.owner : person;
  const asked = (await requests[row.name]?.(site, owner, person)) ?? {};
  const request = toRequest(row.route, asked, person);
  const { headers } = await test.app.inject(request);
  const path = toCdnPath(headers.location);
  return { path, words: (path ? await fetchAsCdn(path) : await ask(test.app, request)).words };
}

describe('with a CDN', () => {
  it.each(rows.map((row) => [row.name, row] as const))(
    'everybody gets what docs/access.md says: %s',
    async (_name, row) => {
      const answers: Record<string, string> = {};
      for (const role of ROLES) {
        const { path, words } = await askAs(row, role);
        answers[role] = words;
        // An address is only given with the audio.
        expect([role, path === null || isAudio(words)]).toEqual([role, true]);
      }
      expect(answers).toEqual(row.answers);
    },
  );

  it('its addresses are given for pages, feeds and downloads', async () => {
    const given = new Set<string>();
    for (const row of rows)
      if ((await askAs(row, 'subscriber')).path) given.add(row.route.replace(/\/:name$/, ''));
    expect([...given].toSorted()).toEqual([
      'GET /feed/:token/:id/:file',
      'GET /feed/public/:id/preview',
      'GET /feed/public/:id/preview.mp3',
      'GET /media/downloads/:trackId/:format',
      'GET /media/tracks/:id/:rendition',
      'GET /rest/*',
    ]);
  });
});

describe('an address that was given before', () => {
  const listPaths = async () => {
    const paths = new Set<string>();
    for (const row of rows) {
      const { path } = await askAs(row, 'subscriber');
      if (path) paths.add(path);
    }
    return [...paths];
  };

  it('gives nothing of a mix that was taken down', async () => {
    const paths = await listPaths();
    for (const path of paths) expect(isAudio((await fetchAsCdn(path)).words)).toBe(true);
    await takeDownAll(test.deps.database.db);
    for (const path of paths) expect((await fetchAsCdn(path)).words).toBe('404');
    await putBackAll(test.deps.database.db);
  });

  it('gives no file to keep of a site that ended downloads', async () => {
    const paths = await listPaths();
    const now = test.clock.now();
    await changeSettings(test.deps.database.db, { downloadsEnd: now }, now);
    const words = await Promise.all(paths.map(async (path) => (await fetchAsCdn(path)).words));
    const isToKeep = (path: string) => /^\/media\/cdn\/[^/]+\/(?:mp3|flac)\//.test(path);
    expect(paths.some(isToKeep)).toBe(true);
    for (const [index, path] of paths.entries())
      expect(words[index]).toMatch(isToKeep(path) ? /^403 files_off$/ : /^200 \w+$/);
  });
});
