import { deepEqual, equal } from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { LENGTH, type Asked, type ClientSite } from './client-site.ts';
import { DESKTOP_NEEDS, openDesktop, type Desktop } from './desktop.ts';
import { findVersion, waitFor, type Context, type Program } from './program.ts';

/** A song as both programs keep it. Lengths are in nanoseconds. */
type Song = { title: string; artist: string; album: string; track: number; length: number };

const expectedSongs = ({ mixes }: ClientSite): Song[] =>
  mixes.map(({ title }, index) => ({
    title,
    artist: 'Weekender',
    album: `Week ${40 + index}, 2026`,
    track: 40 + index,
    length: LENGTH * 1e9,
  }));

/** What the program has kept, by its own database. */
function readSongs(file: string): Song[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare('select title, artist, album, track, length from subsonic_songs order by track')
      .all();
    return rows.map((row) => ({ ...row }) as Song);
  } finally {
    database.close();
  }
}

const waitForSongs = async (file: string, site: ClientSite) =>
  deepEqual(
    await waitFor('catalogue', async () => {
      const songs = readSongs(file);
      return songs.length >= site.mixes.length && songs;
    }),
    expectedSongs(site),
  );

const waitForAsked = (site: ClientSite, what: string, isIt: (asked: Asked) => boolean) =>
  waitFor(what, async () => site.asked.find(isIt) ?? null);

const isCall = (name: string, id: string, client: string) => (asked: Asked) =>
  asked.path === `/rest/${name}.view` &&
  asked.query.get('id') === id &&
  asked.query.get('c') === client &&
  [200, 206].includes(asked.status);

/** In seconds. */
const readPosition = (desktop: Desktop) =>
  waitFor('position', async () => Number(await desktop.readPlayer('Position')) / 1e6);

const waitForPosition = (desktop: Desktop, from: number, to: number) =>
  waitFor(`position from ${from} to ${to} s`, async () => {
    const position = await readPosition(desktop);
    return position >= from && position <= to;
  });

async function seekByBus(desktop: Desktop) {
  const before = await readPosition(desktop);
  await desktop.callPlayer('Seek', 'x', String(Math.round((40 - before) * 1e6)));
  await waitForPosition(desktop, 40, 46);
}

/** The title, and that it moves. */
async function requirePlaying(desktop: Desktop, title: string) {
  await waitFor(`“${title}” playing`, async () => {
    const metadata = (await desktop.readPlayer('Metadata')) as Record<string, { data: unknown }>;
    return metadata['xesam:title']?.data === title;
  });
  const before = await readPosition(desktop);
  await waitForPosition(desktop, before + 2, LENGTH);
}

/** Below the list that plays: “3 tracks - [ 3:00 ]”. */
const waitForLabel = (desktop: Desktop, start: string) =>
  waitFor(start, async () =>
    (await desktop.list('label')).some((text) => text.trim().startsWith(start)),
  );

/** From behind the start, as after a jump. */
const isPart = (asked: Asked) => /^bytes=[1-9]/.test(asked.range ?? '') && asked.status === 206;

/** A program and its window, which the checks share in their order. */
function windowProgram(program: {
  name: string;
  version: RegExp;
  cannot: string;
  /** Writes its settings. Returns its arguments. */
  prepare: (context: Context) => Promise<string[]>;
  needs?: Record<string, string[]>;
  checks: Record<string, (context: Context, desktop: Desktop) => Promise<void>>;
}): Program {
  let desktop: Desktop | null = null;
  return {
    findVersion: findVersion(program.name, ['--version'], program.version),
    needs: { ...DESKTOP_NEEDS, ...program.needs },
    cannot: program.cannot,
    open: async (context) => {
      const args = await program.prepare(context);
      desktop = await openDesktop(program.name, args, context.home);
      return desktop.close;
    },
    checks: Object.fromEntries(
      Object.entries(program.checks).map(([what, check]) => [
        what,
        async (context) => {
          if (!desktop) throw new Error('It has no window.');
          await check(context, desktop);
        },
      ]),
    ),
  };
}

async function writeSettings(file: string, sections: Record<string, Record<string, string>>) {
  await mkdir(join(file, '..'), { recursive: true });
  const lines = Object.entries(sections).flatMap(([section, settings]) => [
    `[${section}]`,
    ...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
  ]);
  await writeFile(file, `${lines.join('\n')}\n`);
  return [];
}

const strawberryDatabase = (home: string) =>
  join(home, '.local/share/strawberry/strawberry/strawberry.db');

const strawberry = windowProgram({
  name: 'strawberry',
  version: /(\d[\d.]+)/,
  cannot: 'favorite, playlist and download, which it hasn’t',
  prepare: ({ site, home }) =>
    writeSettings(join(home, '.config/strawberry/strawberry.conf'), {
      Subsonic: {
        enabled: 'true',
        url: site.origin,
        username: site.username,
        password: `@ByteArray(${Buffer.from(site.password).toString('base64')})`,
        serversidescrobbling: 'true',
      },
      Backend: { engine: 'gstreamer', output: 'autoaudiosink' },
      Scrobbler: { enabled: 'true', scrobble_button: 'true' },
    }),
  checks: {
    sync: async ({ site, home }, desktop) => {
      await desktop.click('page tab', 'Subsonic');
      await desktop.click('button', 'Refresh catalogue');
      await waitForSongs(strawberryDatabase(home), site);
    },
    cover: async ({ home }) => {
      const database = new DatabaseSync(strawberryDatabase(home), { readOnly: true });
      const rows = database.prepare('select art_automatic from subsonic_songs').all();
      database.close();
      const covers = await Promise.all(
        rows.map(async ({ art_automatic: url }) =>
          (await readFile(fileURLToPath(String(url)))).toString('base64'),
        ),
      );
      equal(new Set(covers).size, 3);
    },
    search: async (_, desktop) => {
      await desktop.click('text', 'Enter search terms here');
      await desktop.type('night');
      await waitFor('result', async () => (await desktop.list('table cell')).includes('Weekender'));
      // It adds what was found to the list that plays.
      await desktop.click('table cell', 'Weekender', 2);
      await waitForLabel(desktop, '1 track');
    },
    play: async ({ site }, desktop) => {
      await desktop.callPlayer('Play');
      await requirePlaying(desktop, 'Night Bus');
      await waitForAsked(
        site,
        'scrobble of what plays',
        (asked) =>
          isCall('scrobble', 'mix-1', 'Strawberry')(asked) &&
          asked.query.get('submission') === 'false',
      );
    },
    seek: async ({ site }, desktop) => {
      await desktop.command('--seek-to', '40');
      await waitForPosition(desktop, 40, 46);
      await waitForAsked(
        site,
        'part of the mix',
        (asked) => isCall('stream', 'mix-1', 'Strawberry')(asked) && isPart(asked),
      );
    },
  },
});

const clementineDatabase = (home: string) => join(home, '.config/Clementine/clementine.db');

const clementine = windowProgram({
  name: 'clementine',
  version: /Clementine (.+)/,
  cannot: 'favorite, playlist and download, which it hasn’t',
  prepare: ({ site, home }) =>
    writeSettings(join(home, '.config/Clementine/Clementine.conf'), {
      Subsonic: { server: site.origin, username: site.username, password: site.password },
      GstEngine: { sink: 'autoaudiosink' },
    }),
  checks: {
    sync: async ({ site, home }, desktop) => {
      await desktop.click('page tab', 'Internet');
      await desktop.click('table cell', 'Subsonic', 2);
      await waitForSongs(clementineDatabase(home), site);
    },
    search: async (_, desktop) => {
      await desktop.click('page tab', 'Search');
      await desktop.click('text', 'Search for anything');
      await desktop.type('night');
      await waitFor('the one result', async () => {
        const names = await desktop.list('table cell');
        return names.includes('Night Bus') && !names.includes('Braai');
      });
      await desktop.click('table cell', 'Night Bus', 2);
      await waitForLabel(desktop, '1 track');
    },
    play: async ({ site }, desktop) => {
      await desktop.callPlayer('Play');
      await requirePlaying(desktop, 'Night Bus');
      await waitForAsked(site, 'stream', isCall('stream', 'mix-1', 'Clementine'));
    },
    cover: async ({ site }) => {
      await waitForAsked(site, 'cover', isCall('getCoverArt', 'mix-1', 'Clementine'));
    },
    seek: async ({ site }, desktop) => {
      await seekByBus(desktop);
      await waitForAsked(
        site,
        'part of the mix',
        (asked) => isCall('stream', 'mix-1', 'Clementine')(asked) && isPart(asked),
      );
    },
    'newest weeks': async ({ site }, desktop) => {
      await desktop.click('page tab', 'Internet');
      await desktop.click('table cell', 'Newest Albums', 2);
      await waitForLabel(desktop, `${1 + site.mixes.length} tracks`);
    },
  },
});

const rhythmbox = windowProgram({
  name: 'rhythmbox',
  version: /(\d[\d.]+)/,
  cannot: 'Subsonic, which it hasn’t; cover',
  // It reads feeds by GVfs, which isn't always there.
  needs: { 'gvfs-backends': ['test', '-e', '/usr/libexec/gvfsd-http'] },
  prepare: async ({ site }) => [site.feed],
  checks: {
    sync: async ({ site }, desktop) => {
      await desktop.click('button', 'Subscribe');
      await desktop.click('button', 'Close');
      await waitFor('episodes', async () => {
        const names = await desktop.list('table cell');
        return site.mixes.every(({ title }) => names.includes(title));
      });
    },
    'download of the newest': async ({ home }) => {
      const file = '2026-week-42-golden-hour-pressure.mp3';
      await waitFor(file, async () =>
        (await readdir(home, { recursive: true })).some((path) => path.endsWith(`/${file}`)),
      );
    },
    play: async ({ site }, desktop) => {
      await desktop.click('table cell', 'Night Bus', 2);
      await requirePlaying(desktop, 'Night Bus');
      await waitForAsked(site, 'file of the mix', ({ path }) => path.includes('/mix-1/'));
    },
    seek: async ({ site }, desktop) => {
      await seekByBus(desktop);
      await waitForAsked(
        site,
        'part of the mix',
        (asked) => asked.path.includes('/mix-1/') && isPart(asked),
      );
    },
  },
});

/** Programs with a window. */
export const windowPrograms = { strawberry, clementine, rhythmbox };
