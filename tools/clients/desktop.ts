import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { end, execute, waitFor } from './program.ts';

/** What every program with a window needs: a screen, a bus, and somebody who looks and types. */
export const DESKTOP_NEEDS = {
  xvfb: ['which', 'Xvfb'],
  xdotool: ['which', 'xdotool'],
  'dbus-daemon': ['which', 'dbus-daemon'],
  systemd: ['which', 'busctl'],
  'python3-pyatspi': ['/usr/bin/python3', '-c', 'import pyatspi'],
};

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
    # Newer versions say “button” for “push button”.
    if part.getRoleName().removeprefix('push ') != role: continue
    box = part.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    middle = [box.x + box.width // 2, box.y + box.height // 2]
    found.append({'name': part.name or part.description, 'middle': middle})
print(json.dumps(found))`;

type Part = { name: string; middle: [number, number] };

/** A program that was started on a screen of its own. */
export type Desktop = {
  /** Once more, as a command to the one that runs. */
  command: (...words: string[]) => Promise<void>;
  /** The names of the visible parts with a role, from the top. */
  list: (role: string) => Promise<string[]>;
  click: (role: string, name: string, times?: number) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Of its player, as other programs of a desktop see it (MPRIS). */
  readPlayer: (property: string) => Promise<unknown>;
  callPlayer: (method: string, ...values: string[]) => Promise<void>;
  close: () => Promise<void>;
};

async function readLine(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

/** Starts a program where nobody sees or hears it. Its files are in a folder of its own. */
export async function openDesktop(program: string, args: string[], home: string): Promise<Desktop> {
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
    const run = async (file: string, ...words: string[]) =>
      (await execute(file, words, { env, cwd: home, timeout: 30_000 })).stdout;
    started.push(spawn(program, args, { env, cwd: home, stdio: 'ignore' }));

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
    const search = ['search', '--sync', '--onlyvisible', '--class', program];
    const [window = ''] = (await run('xdotool', ...search)).split('\n');
    await waitFor('buttons', async () => (await look('button')).length > 0);
    return {
      command: async (...words) => void (await run(program, ...words)),
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
      callPlayer: async (method, ...values) => {
        await run('busctl', '--user', 'call', ...player, method, ...values);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
