import { equal, ok, deepEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { LENGTH, type ClientSite } from './client-site.ts';
import {
  asNobody,
  execute,
  findModuleVersion,
  findVersion,
  run,
  runPython,
  TIMEOUT,
  type Context,
  type Program,
} from './program.ts';
import { clementine, strawberry } from './window-programs.ts';

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

const PYSONIC = `
import libsonic, sys
from urllib.parse import urlsplit
origin, user, password, what = sys.argv[1:5]
url = urlsplit(origin)
api = libsonic.Connection(f'{url.scheme}://{url.hostname}', user, password, port=url.port)
def sync():
  albums = api.getAlbumList2('newest')['albumList2']['album']
  found = {s['title'] for a in albums for s in api.getAlbum(a['id'])['album']['song']}
  assert found == {'Braai', 'Night Bus', 'Golden Hour Pressure'}, found
def search():
  assert [s['title'] for s in api.search3('night')['searchResult3']['song']] == ['Night Bus']
def play(): assert all(len(api.stream(f'mix-{n}').read()) > 10000 for n in range(3))
def favorite():
  api.star(['mix-1'])
  assert [s['id'] for s in api.getStarred2()['starred2']['song']] == ['mix-1']
  api.unstar(['mix-1'])
def playlist():
  api.createPlaylist(name='Mine', songIds=['mix-2', 'mix-0'])
  mine = api.getPlaylists()['playlists']['playlist'][0]
  assert [s['id'] for s in api.getPlaylist(mine['id'])['playlist']['entry']] == ['mix-2', 'mix-0']
  api.deletePlaylist(mine['id'])
def cover(): assert len(api.getCoverArt('mix-0', size=300).read()) > 100
def download(): assert len({api.download(f'mix-{n}').read() for n in range(3)}) == 3
assert api.ping()
globals()[what]()`;

/** The part of Sublime Music that talks to a server, without the window. */
const SUBLIME = `
import sys
from pathlib import Path
from urllib.request import urlopen
from sublime_music.adapters.adapter_base import AlbumSearchQuery
from sublime_music.adapters.subsonic.adapter import SubsonicAdapter
class Config(dict):
  def get_secret(self, name): return self[name]
origin, user, password, what = sys.argv[1:5]
config = Config(server_address=origin, username=user, password=password)
config.update(verify_cert=True, salt_auth=True)
api = SubsonicAdapter(config, Path('.'))
api.initial_sync()
def sync():
  albums = api.get_albums(AlbumSearchQuery(AlbumSearchQuery.Type.NEWEST))
  found = {s.title for a in albums for s in api.get_album(a.id).songs}
  assert found == {'Braai', 'Night Bus', 'Golden Hour Pressure'}, found
def search(): assert [s.title for s in api.search('night').songs] == ['Night Bus']
def play(): assert all(len(urlopen(api.get_song_stream_uri(f'mix-{n}')).read()) > 10000 for n in range(3))
def playlist():
  api.create_playlist('Mine', [api.get_song_details(f'mix-{n}') for n in (2, 0)])
  mine = api.get_playlists()[0]
  assert [s.id for s in api.get_playlist_details(mine.id).songs] == ['mix-2', 'mix-0']
  api.delete_playlist(mine.id)
def cover(): assert len(urlopen(api.get_cover_art_uri('mix-0', 'http', 300)).read()) > 100
def download():
  files = {urlopen(api.get_song_file_uri(f'mix-{n}', ['http'])).read() for n in range(3)}
  assert len(files) == 3
def scrobble(): api.scrobble_song(api.get_song_details('mix-0'))
try: globals()[what]()
finally: api.shutdown()`;

/** A check for each function of a script. */
const checksOf = (module: string, script: string, names: string[]): Program['checks'] =>
  Object.fromEntries(
    names.map((what) => [
      what,
      async ({ site, home }) => {
        const args = [site.origin, site.username, site.password, what];
        await runPython(module, script, args, home);
      },
    ]),
  );

/** Plays two seconds from the middle of each mix, by both kinds of address. */
const seekWith =
  (play: (url: string, start: number, home: string) => Promise<void>) =>
  async ({ site, home }: Context) => {
    const xml = await (await fetch(site.feed)).text();
    const urls = [...xml.matchAll(/<enclosure url="([^"]*)"/g)].map(([, url = '']) => url);
    equal(urls.length, site.mixes.length);
    urls.push(...site.mixes.map(({ id }) => site.callUrl('stream', { id })));
    for (const url of urls) await play(url, LENGTH / 2, home);
  };

async function playWithMpv(url: string, start: number, home: string) {
  const options = ['--no-config', '--vo=null', '--ao=null', '--ao-null-untimed', '--length=2'];
  const show = '--term-playing-msg=AT=${=time-pos}; OF=${=duration};';
  const output = await run('mpv', [...options, show, `--start=${start}`, url], home);
  const read = (name: string) => Number(new RegExp(`${name}=([\\d.]+);`).exec(output)?.[1]);
  ok(Math.abs(read('AT') - start) < 1 && Math.abs(read('OF') - LENGTH) < 1, output);
  ok(output.includes('End of file'), output);
}

/** Writes what it plays as a WAV of 44,100 frames a second. */
async function playWithVlc(url: string, start: number, home: string) {
  await Promise.all([chmod(dirname(home), 0o755), chmod(home, 0o777)]);
  const file = join(home, 'played.wav');
  const chain = `#transcode{acodec=s16l,samplerate=44100,channels=2}:std{access=file,mux=wav,dst=${file}}`;
  const times = [`--start-time=${start}`, `--stop-time=${start + 2}`, '--play-and-exit'];
  const options = { timeout: TIMEOUT, cwd: home, env: { PATH: process.env.PATH, HOME: home } };
  const args = ['-I', 'dummy', '--no-sout-video', `--sout=${chain}`, ...times, url];
  await execute('cvlc', args, { ...options, ...asNobody });
  const seconds = (await stat(file)).size / 4 / 44_100;
  ok(seconds > 1.5 && seconds < 3, `Played ${seconds} s.`);
  await rm(file);
}

/** It waits for a key when it is done, so it is ended as soon as the files are there. */
async function downloadWithPodboat(context: Context) {
  const { home } = context;
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm' };
  const command = `podboat -C ${home}/config -q ${home}/.newsboat/queue -a`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: home });
  const exited = once(child, 'exit');
  child.stdout.resume();
  try {
    for (const end = Date.now() + TIMEOUT; ; await setTimeout(250)) {
      const isDone = await requireDownloads(context).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      if (Date.now() > end) await requireDownloads(context);
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

export const programs: Record<string, Program> = {
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
  mpv: {
    findVersion: findVersion('mpv', ['--version'], /mpv (\S+)/),
    checks: { 'play and seek': seekWith(playWithMpv) },
    cannot: 'the rest: it only plays',
  },
  vlc: {
    findVersion: findVersion('cvlc', ['--version'], /VLC (?:media player|version) (\S+)/),
    checks: { 'play and seek': seekWith(playWithVlc) },
    cannot: 'the rest: it only plays',
  },
  'py-sonic': {
    findVersion: findModuleVersion('libsonic', 'libsonic.__version__'),
    checks: checksOf('libsonic', PYSONIC, [
      'sync',
      'search',
      'play',
      'favorite',
      'playlist',
      'cover',
      'download',
    ]),
    cannot: 'seek (it has no call for a part)',
  },
  'sublime-music': {
    findVersion: findModuleVersion('sublime_music', 'sublime_music.__version__'),
    checks: checksOf('sublime_music', SUBLIME, [
      'sync',
      'search',
      'play',
      'playlist',
      'cover',
      'download',
      'scrobble',
    ]),
    cannot: 'favorite (it has none), seek and its window',
  },
  strawberry,
  clementine,
};
