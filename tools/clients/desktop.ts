import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What every program with a window needs: a screen, a bus, and somebody who uses it. */
const NEEDED = [
  ['Xvfb', '-help'],
  ['xdotool', 'version'],
  ['dbus-daemon', '--version'],
  ['busctl', '--version'],
  ['/usr/bin/python3', '-c', 'import pyatspi'],
] as const;

/** Null if all is there. */
export async function findMissing(): Promise<string | null> {
  for (const [file, ...args] of NEEDED) {
    const isThere = await execute(file, args).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && file === 'Xvfb',
    );
    if (!isThere) return args.at(-1) === 'import pyatspi' ? 'python3-pyatspi' : file;
  }
  return null;
}

/** Silence in real time: GStreamer takes its own fake output when it may use no other. */
const NO_SOUND = ['alsa', 'jackaudio', 'openal', 'oss', 'oss4', 'pipewire', 'pulse']
  .map((name) => `${name}sink:NONE`)
  .join(',');

/** Finds what a screen reader would: the visible parts of a program that have a role and a name. */
const LOOK = `
import json, pyatspi, sys
program, role = sys.argv[1:3]
def walk(part, depth=0):
  if depth > 0 and not part.getState().contains(pyatspi.STATE_SHOWING): return
  yield part
  for index in range(min(part.childCount, 500) if depth < 25 else 0):
    child = part.getChildAtIndex(index)
    if child: yield from walk(child, depth + 1)
found = []
for window in pyatspi.Registry.getDesktop(0):
  if not window or window.name.lower() != program: continue
  for part in walk(window):
    if part.getRoleName() != role: continue
    box = part.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    middle = [box.x + box.width // 2, box.y + box.height // 2]
    found.append({'name': part.name or part.description, 'middle': middle})
print(json.dumps(found))`;

type Part = { name: string; middle: [number, number] };

/** A program that was started on a screen of its own. */
export type Desktop = {
  /** Once more, as a command to the one that runs. */
  command: (...args: string[]) => Promise<void>;
  /** The names of the visible parts with a role, from the top. */
  list: (role: string) => Promise<string[]>;
  click: (role: string, name: string, times?: number) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Of its player, as other programs of a desktop see it (MPRIS). */
  readPlayer: (property: string) => Promise<unknown>;
  callPlayer: (method: string, ...args: string[]) => Promise<void>;
  close: () => Promise<void>;
};

/** Programs have no event for “done”. */
export async function waitFor<T>(what: string, read: () => Promise<T | null | false>): Promise<T> {
  let last: unknown = null;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const value = await read().catch((error: unknown) => {
      last = error;
      return null;
    });
    if (value !== null && value !== false) return value;
    await setTimeout(500);
  }
  throw new Error(`No ${what} after 30 seconds.${last === null ? '' : ` ${String(last)}`}`);
}

async function readLine(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  const isOver = await Promise.race([ended, setTimeout(5000, null, { ref: false })]);
  if (isOver) return;
  child.kill('SIGKILL');
  await ended;
}

/** Starts a program where nobody sees or hears it. Its files are in a folder of its own. */
export async function openDesktop(program: string, home: string): Promise<Desktop> {
  const runtime = join(home, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const started: ChildProcess[] = [];
  const close = async () => {
    for (const child of started.toReversed()) await end(child);
  };
  try {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    started.push(screen);
    const display = `:${await readLine(screen.stdio[3] as Readable)}`;
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime, DISPLAY: display },
    });
    started.push(bus);
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: runtime,
      DISPLAY: display,
      DBUS_SESSION_BUS_ADDRESS: await readLine(bus.stdout),
      QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
      GST_PLUGIN_FEATURE_RANK: NO_SOUND,
    };
    const run = async (file: string, ...args: string[]) =>
      (await execute(file, args, { env, cwd: home, timeout: 30_000 })).stdout;
    started.push(spawn(program, [], { env, cwd: home, stdio: 'ignore' }));

    const service = `org.mpris.MediaPlayer2.${program}`;
    const player = [service, '/org/mpris/MediaPlayer2', 'org.mpris.MediaPlayer2.Player'];
    const readPlayer = async (property: string): Promise<unknown> => {
      const text = await run(
        'busctl',
        '--user',
        '--json=short',
        'get-property',
        ...player,
        property,
      );
      return (JSON.parse(text) as { data: unknown }).data;
    };
    const look = async (role: string) =>
      JSON.parse(await run('/usr/bin/python3', '-c', LOOK, program, role)) as Part[];
    // Looked at before it is ready, a program built with Qt 5 says nothing for as long as it runs.
    await waitFor('player', () => readPlayer('PlaybackStatus'));
    await setTimeout(1000);
    await waitFor('window', async () => (await look('menu bar')).length > 0);
    const [window = ''] = (
      await run('xdotool', 'search', '--onlyvisible', '--class', program)
    ).split('\n');
    return {
      command: async (...args) => void (await run(program, ...args)),
      list: async (role) => (await look(role)).map(({ name }) => name),
      click: async (role, name, times = 1) => {
        const { middle } = await waitFor(
          `${role} “${name}”`,
          async () => (await look(role)).find((part) => part.name === name) ?? null,
        );
        const repeat = ['--repeat', String(times), '--delay', '100', '1'];
        await run('xdotool', 'mousemove', ...middle.map(String), 'click', ...repeat);
      },
      type: async (text) => {
        await run('xdotool', 'windowfocus', '--sync', window, 'type', '--delay', '50', text);
      },
      readPlayer,
      callPlayer: async (method, ...args) => {
        await run('busctl', '--user', 'call', ...player, method, ...args);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
