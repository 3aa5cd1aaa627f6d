import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createLogger, createServer, type Logger } from 'vite';
import { NODE_FLAGS, runNode } from './run-node.ts';

const root = join(import.meta.dirname, '..');
const port = process.env.PORT ?? '3000';
const origin = `http://127.0.0.1:${port}`;

function printPrefixed(prefix: string, stream: Readable): void {
  createInterface({ input: stream }).on('line', (line) => console.log(`${prefix} ${line}`));
}

function prefixedLogger(prefix: string): Logger {
  const logger = createLogger('info', { allowClearScreen: false });
  const { info, warn, error } = logger;
  logger.info = (message, options) => info(`${prefix} ${message}`, options);
  logger.warn = (message, options) => warn(`${prefix} ${message}`, options);
  logger.error = (message, options) => error(`${prefix} ${message}`, options);
  return logger;
}

/** The server needs the page template of a build; Vite serves everything else. */
async function ensurePageTemplate(): Promise<void> {
  const page = await stat(join(root, 'dist/web/index.html')).catch(() => undefined);
  if (!page) await runNode([join(root, 'tools/build-web.ts')]);
}

async function waitForServer(): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

await ensurePageTemplate();

const watch = ['--watch', '--watch-preserve-output', 'server/main.ts'];
const server = spawn(process.execPath, [...NODE_FLAGS, ...watch], {
  cwd: root,
  env: { ...process.env, PORT: port },
  stdio: ['ignore', 'pipe', 'pipe'],
});
printPrefixed('server |', server.stdout);
printPrefixed('server |', server.stderr);

process.env.API_ORIGIN = origin;
const web = await createServer({
  configFile: join(root, 'vite.config.ts'),
  customLogger: prefixedLogger('web    |'),
  server: { port: 5173, strictPort: false },
});

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  server.kill('SIGTERM');
  await web.close();
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
server.once('exit', () => void stop());

await web.listen();
await waitForServer();
if (!isStopping)
  console.log(`\nOpen ${web.resolvedUrls?.local[0] ?? ''}  (Ctrl-C stops both sides)\n`);
