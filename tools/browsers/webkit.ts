import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../testing/free-port.ts';
import { findProgram } from '../testing/find-program.ts';
import type { Handle, Size, StartDriver, Tab } from './driver.ts';

/** Otherwise the buttons beside the address keep the window from being as narrow as a phone. */
const SMALL_BUTTONS = '* { font-size: 1px; padding: 0; margin: 0; min-width: 0; min-height: 0 }';
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Classic WebDriver. */
const connect =
  (origin: string) =>
  async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { message?: string } | null };
    if (!response.ok) throw new Error(`WebKit: ${value?.message ?? response.status}`);
    return value;
  };

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** A screen that nobody sees. */
async function startScreen(): Promise<{ display: string; screen: ChildProcess }> {
  const args = ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1600x1200x24'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [, , , said] = screen.stdio;
  if (!said) throw new Error('Xvfb says nothing.');
  const [number] = (await once(said, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, screen };
}

/** Each window is a browser of its own, which stores nothing. */
async function openTab(
  { program, binary }: { program: string; binary: string },
  env: NodeJS.ProcessEnv,
  size: Size,
): Promise<Tab> {
  const port = await findFreePort();
  const driver = spawn(program, [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let said = '';
  for (const stream of [driver.stdout, driver.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const send = connect(`http://127.0.0.1:${port}`);
  await waitUntilReady(port, driver);
  const options = {
    binary,
    args: ['--automation', '--enable-write-console-messages-to-stdout=true'],
  };
  const { sessionId } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  const execute = (script: string) => send('POST', `${session}/execute/sync`, { script, args: [] });
  const resize = (window: Size) =>
    send('POST', `${session}/window/rect`, { x: 0, y: 0, ...window });
  await resize(size);
  const toolbar = size.height - Number(await execute('return innerHeight'));
  await resize({ ...size, height: size.height + toolbar });

  const createHandle = (id: string): Handle => ({
    click: async () => void (await send('POST', `${session}/element/${id}/click`, {})),
    type: async (text) => void (await send('POST', `${session}/element/${id}/value`, { text })),
    setFiles: async (paths) => {
      await send('POST', `${session}/element/${id}/value`, { text: paths.join('\n') });
    },
  });

  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    run: (source, args) => execute(`return (${source})(...${JSON.stringify(args)})`),
    find: async (source, args) => {
      const found = (await execute(`return (${source})(...${JSON.stringify(args)})`)) as Record<
        string,
        string
      > | null;
      const id = found?.[ELEMENT];
      return id === undefined ? null : createHandle(id);
    },
    screenshot: async () =>
      Buffer.from((await send('GET', `${session}/screenshot`)) as string, 'base64'),
    problems: () => said.split('\n').filter((line) => /^CONSOLE .*\bERROR\b/.test(line)),
    close: async () => {
      await send('DELETE', session);
      await end(driver);
    },
  };
}

async function waitUntilReady(port: number, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('WebKitWebDriver ended.');
}

/** The newest of those that the machine has. */
const findMiniBrowser = (): string | undefined =>
  globSync('/usr/{lib,libexec}/{*/,}webkit{2gtk-4.*,gtk-6.*}/MiniBrowser').toSorted().at(-1);

/** WebKitGTK, which is Safari's engine with other decoders and without Apple's services. */
export const startWebkit: StartDriver = async (folder, given) => {
  const program = findProgram('WebKitWebDriver');
  const binary = findMiniBrowser();
  if (!program || !binary || !findProgram('Xvfb')) return null;
  const { display, screen } = await startScreen();
  await mkdir(join(folder, 'gtk-3.0'));
  await writeFile(join(folder, 'gtk-3.0', 'gtk.css'), SMALL_BUTTONS);
  const env = { ...given, XDG_CONFIG_HOME: folder, DISPLAY: display, GDK_BACKEND: 'x11' };
  const { stdout } = spawnSync(binary, ['--version'], { env, encoding: 'utf8' });
  const [version = ''] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
  return {
    version,
    openTab: (size) => openTab({ program, binary }, env, size),
    close: () => end(screen),
  };
};
