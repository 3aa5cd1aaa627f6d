import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFreePort } from '../testing/free-port.ts';
import { LENGTH, type ClientSite } from './client-site.ts';
import {
  asNobody,
  end,
  execute,
  findVersion,
  run,
  TIMEOUT,
  waitFor,
  type Context,
  type Program,
} from './program.ts';

/** Of each mix, by both kinds of address. */
async function listUrls(site: ClientSite): Promise<string[]> {
  const xml = await (await fetch(site.feed)).text();
  const urls = [...xml.matchAll(/<enclosure url="([^"]*)"/g)].map(([, url = '']) => url);
  equal(urls.length, site.mixes.length);
  return [...urls, ...site.mixes.map(({ id }) => site.callUrl('stream', { id }))];
}

/** Plays two seconds from the middle of each mix. */
const seekWith =
  (play: (url: string, start: number, home: string) => Promise<void>, list = listUrls) =>
  async ({ site, home }: Context) => {
    for (const url of await list(site)) await play(url, LENGTH / 2, home);
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

type Server = { settings: string; args: string[]; host: string[] };

/** A player without a window, which `mpc` tells what to play. */
function mpcProgram(program: {
  file: string;
  findVersion: Program['findVersion'];
  cannot: string;
  prepare: (context: Context) => Promise<Server>;
  checks: (mpc: (...args: string[]) => Promise<string>) => Program['checks'];
  /** What it calls the mixes, if not by their addresses. */
  list?: typeof listUrls;
}): Program {
  let host: string[] = [];
  const mpc = async (...args: string[]) =>
    (await execute('mpc', [...host, ...args], { timeout: TIMEOUT })).stdout;
  const play = async (url: string, start: number) => {
    const waitForTime = (from: number) =>
      waitFor(`${from} s of ${LENGTH}`, async () => {
        const [, minutes, seconds, of] =
          /^\[playing\].* (\d+):(\d+)\/(\d+:\d+) /m.exec(await mpc('status')) ?? [];
        return of === '1:00' && Number(minutes) * 60 + Number(seconds) >= from;
      });
    await mpc('clear');
    await mpc('add', url);
    await mpc('play');
    await waitForTime(1);
    await mpc('seek', String(start));
    await waitForTime(start + 2);
  };
  return {
    findVersion: program.findVersion,
    needs: { mpc: ['which', 'mpc'] },
    open: async (context) => {
      const { home } = context;
      const server = await program.prepare(context);
      await writeFile(join(home, 'settings'), server.settings);
      host = server.host;
      const child = spawn(program.file, [...server.args, join(home, 'settings')], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home },
        stdio: 'ignore',
      });
      const close = () => end(child);
      await waitFor(program.file, async () => (await mpc('status')) !== '').catch(
        async (error: unknown) => {
          await close();
          throw error;
        },
      );
      return close;
    },
    checks: { ...program.checks(mpc), 'play and seek': seekWith(play, program.list) },
    cannot: program.cannot,
  };
}

const mpd = mpcProgram({
  file: 'mpd',
  findVersion: findVersion('mpd', ['--version'], /Daemon (\S+)/),
  cannot: 'the rest: it only plays',
  prepare: async ({ home }) => ({
    settings: `bind_to_address "${home}/socket"
audio_output {
  type "null"
  name "null"
}
`,
    args: ['--no-daemon'],
    host: ['-h', join(home, 'socket')],
  }),
  checks: () => ({}),
});

/** Its settings, and those of the extension that it should use. */
async function prepareMopidy(home: string, extension: string): Promise<Server> {
  const port = await findFreePort();
  return {
    settings: `[core]
cache_dir = ${home}/cache
config_dir = ${home}/config
data_dir = ${home}/data
[audio]
output = fakesink sync=true
[http]
enabled = false
[mpd]
hostname = 127.0.0.1
port = ${port}
zeroconf =
default_playlist_scheme = subidy
${extension}`,
    args: ['--config'],
    host: ['-h', '127.0.0.1', '-p', String(port)],
  };
}

const linesOf = (output: string) => output.trim().split('\n');

const mopidy = mpcProgram({
  file: 'mopidy',
  findVersion: findVersion('mopidy', ['--version'], /(\d\S+)/),
  cannot: 'the rest: with a feed, it only plays',
  prepare: async ({ site, home }) => {
    const list = `<opml version="1.1"><head/><body><outline text="Weekender" type="rss" xmlUrl="${site.feed}"/></body></opml>`;
    await writeFile(join(home, 'podcasts.opml'), list);
    return prepareMopidy(home, `[podcast]\nbrowse_root = ${home}/podcasts.opml\n`);
  },
  checks: (mpc) => ({
    'sync of the feed': async ({ site }) => {
      const list = linesOf(await mpc('ls', 'Podcasts/Weekender'));
      deepEqual(list, site.mixes.map(({ id }) => `podcast+${site.feed}#${id}`).toReversed());
    },
  }),
});

const toSong = (id: string) => `subidy:song:${id}`;

const mopidySubidy = mpcProgram({
  file: 'mopidy',
  findVersion: async () => {
    const found = await execute('mopidy', ['deps'], { timeout: TIMEOUT }).catch(() => null);
    return /Mopidy-Subidy: (\S+)/.exec(found?.stdout ?? '')?.[1] ?? null;
  },
  cannot: 'favorite, cover and download, which it hasn’t',
  prepare: ({ site: { origin, username, password }, home }) =>
    prepareMopidy(
      home,
      `[subidy]\nurl = ${origin}\nusername = ${username}\npassword = ${password}\n`,
    ),
  checks: (mpc) => ({
    sync: async ({ site }) => {
      const albums = linesOf(await mpc('ls', 'Subsonic/Albums'));
      const songs = await Promise.all(albums.map((album) => mpc('ls', album)));
      deepEqual(
        songs.flatMap(linesOf).toSorted(),
        site.mixes.map(({ id }) => toSong(id)),
      );
    },
    search: async () => {
      const found = linesOf(await mpc('-f', '%title%', 'search', 'any', 'night'));
      ok(found.includes('Night Bus') && !found.includes('Braai'), found.join(', '));
    },
    playlist: async () => {
      const songs = ['mix-2', 'mix-0'].map(toSong);
      await mpc('clear');
      for (const song of songs) await mpc('add', song);
      await mpc('save', 'Mine');
      deepEqual(linesOf(await mpc('-f', '%file%', 'playlist', 'Mine')), songs);
      await mpc('rm', 'Mine');
      equal(await mpc('lsplaylists'), '');
    },
  }),
  list: async ({ mixes }) => mixes.map(({ id }) => toSong(id)),
});

/** Programs that play an address. */
export const players: Record<string, Program> = {
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
  mpd,
  mopidy,
  'mopidy-subidy': mopidySubidy,
};
