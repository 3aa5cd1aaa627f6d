import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ClientSite } from './client-site.ts';
import {
  findModuleVersion,
  findVersion,
  run,
  runPython,
  waitFor,
  type Context,
  type Program,
} from './program.ts';

/** Newest first, as the feed has them. */
const titlesOf = ({ mixes }: ClientSite) => mixes.map(({ title }) => title).toReversed();

/** The files below a folder that are MP3s, with the sizes that the feed announces. */
async function requireDownloads({ site, home }: Context) {
  const xml = await (await fetch(site.feed)).text();
  const announced = [...xml.matchAll(/<enclosure [^>]*length="(\d+)"/g)].map(([, size]) =>
    Number(size),
  );
  const files = (await readdir(home, { recursive: true })).filter((file) => file.endsWith('.mp3'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(home, file))).size));
  const sort = (list: number[]) => list.toSorted((a, b) => a - b);
  equal(announced.length, site.mixes.length);
  deepEqual(sort(sizes), sort(announced));
}

const FEEDPARSER = `
import feedparser, json, sys
first = feedparser.parse(sys.argv[1])
again = feedparser.parse(sys.argv[1], etag=first.etag)
dated = feedparser.parse(sys.argv[1], modified=first.modified)
print(json.dumps({
  'bozo': bool(first.bozo), 'again': again.status, 'dated': dated.status,
  'titles': [e.title for e in first.entries], 'ids': [e.id for e in first.entries],
  'enclosures': [len(e.enclosures) for e in first.entries],
}))`;

/** It waits for a key when it is done, so it is ended as soon as the files are there. */
async function downloadWithPodboat(context: Context) {
  const { home } = context;
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm' };
  const command = `podboat -C ${home}/config -q ${home}/.newsboat/queue -a`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: home });
  const exited = once(child, 'exit');
  child.stdout.resume();
  try {
    await waitFor('downloads', () => requireDownloads(context).then(() => true));
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** Programs that read a podcast feed. */
export const feedPrograms: Record<string, Program> = {
  feedparser: {
    findVersion: findModuleVersion('feedparser', 'feedparser.__version__'),
    checks: {
      'sync and 304': async ({ site, home }) => {
        const output = await runPython('feedparser', FEEDPARSER, [site.feed], home);
        deepEqual(JSON.parse(output), {
          bozo: false,
          again: 304,
          dated: 304,
          titles: titlesOf(site),
          ids: site.mixes.map(({ id }) => id).toReversed(),
          enclosures: site.mixes.map(() => 1),
        });
      },
    },
    cannot: 'the rest: it only reads',
  },
  newsboat: {
    findVersion: findVersion('newsboat', ['-v'], /newsboat (\S+)/),
    checks: {
      sync: async ({ site, home }) => {
        await writeFile(join(home, 'urls'), `${site.feed}\n`);
        const settings = `podcast-auto-enqueue yes\ndownload-path "${home}/downloads"\n`;
        await writeFile(join(home, 'config'), settings);
        const files = ['-u', `${home}/urls`, '-c', `${home}/cache.db`, '-C', `${home}/config`];
        await mkdir(join(home, '.newsboat'), { recursive: true });
        await run('newsboat', [...files, '-x', 'reload'], home);
        const cache = new DatabaseSync(join(home, 'cache.db'), { readOnly: true });
        const rows = cache.prepare('select title from rss_item order by pubDate desc').all();
        cache.close();
        deepEqual(
          rows.map(({ title }) => title),
          titlesOf(site),
        );
      },
      'download (podboat)': downloadWithPodboat,
    },
    cannot: 'play and seek (it hands the address to a player)',
  },
  gpodder: {
    findVersion: findModuleVersion('gpodder', 'gpodder.__version__'),
    checks: {
      sync: async ({ site, home }) => {
        await run('gpo', ['subscribe', site.feed], home);
        const list = await run('gpo', ['episodes'], home);
        for (const title of titlesOf(site)) ok(list.includes(title), list);
      },
      'update again': async ({ home }) => void (await run('gpo', ['update'], home)),
      download: async (context) => {
        await run('gpo', ['download'], context.home);
        await requireDownloads(context);
      },
    },
    cannot: 'cover and play (its window has them)',
  },
  podget: {
    findVersion: findVersion('podget', ['--version'], /Version: (\S+)/),
    checks: {
      'sync and download': async (context) => {
        const { site, home } = context;
        await run('podget', ['--create-config', 'podgetrc'], home);
        const list = join(home, '.config/podget/serverlist');
        await writeFile(list, `${site.feed} Music Weekender\n`);
        await run('podget', [], home);
        await requireDownloads(context);
      },
    },
    cannot: 'the rest: it only downloads',
  },
};
