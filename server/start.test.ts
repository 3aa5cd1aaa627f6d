import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findFreePort } from '#tools/testing/free-port.ts';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/schema/migrate.ts';
import { createLog } from './log/log.ts';
import packageJson from '../package.json' with { type: 'json' };

let folder: string;
let server: ChildProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-start-'));
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

/** As after an earlier start: there is nothing to migrate. */
async function createDatabase() {
  await mkdir(join(folder, 'data', 'demo'), { recursive: true });
  const file = join(folder, 'data', 'demo', 'database.sqlite');
  const database = connect({ kind: 'sqlite', file }, createLog('silent'));
  await migrate(database, Date.now());
  await database.close();
}

async function startServer(
  flags: readonly string[] = NODE_FLAGS,
): Promise<{ origin: string; output: string; listModules: () => Promise<string[]> }> {
  const modules = join(folder, 'modules');
  const record = pathToFileURL(join(import.meta.dirname, 'testing/record-modules.ts'));
  record.searchParams.set('file', modules);
  const port = await findFreePort();
  server = spawn(
    process.execPath,
    [...flags, '--import', record.href, join(import.meta.dirname, 'main.ts')],
    {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATA_DIR: join(folder, 'data'),
        PORT: String(port),
        DEMO_MIXES: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  await new Promise<void>((resolve) => {
    server.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes(' is at http')) resolve();
    });
  });
  const listModules = async () => (await readFile(modules, 'utf8')).split('\n').slice(0, -1);
  return { origin: `http://127.0.0.1:${port}`, output, listModules };
}

const listPackages = (modules: readonly string[]): string[] => {
  const names = modules.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? '');
  return [...new Set(names)].filter((name) => name in packageJson.dependencies).toSorted();
};

/** Our own modules for what most processes never do, or do only after a while. */
const SELDOM = [
  /\/server\/db\/schema\/(?!migrate\.ts|migrations\/list\.ts)/,
  /\/demo\/(?:seed-|catalogue\/|synth\/)/,
  /\/server\/features\/reports\/(?!routes)/,
  /\/server\/features\/(?:books\/(?:sheets|totals)|embeds\/(?:service|oembed))/,
  /\/server\/features\/(?:ingest\/(?:run-ingest|retag-downloads)|member-import\/read-members)/,
  /\/server\/features\/(?:privacy\/(?!routes)|billing\/billing-mail\/write-message)/,
  /\/server\/features\/subsonic\/(?:browsing|media|playlists)/,
  /\/server\/ports\/payments\/(?:paystack|stripe)\//,
  /\/server\/ports\/media\/(?:create-media|find-ffmpeg|wasm-process)/,
];

const HTTP_CLIENT = 'NativeModule internal/deps/undici/undici';

it('loads what is seldom needed only when it is first used', async () => {
  await createDatabase();
  const { origin, listModules } = await startServer();
  // Needed with the first page and the first JSON answer.
  const waiting = /\/dist\/render\/|\/node_modules\/(?:fast-json-stringify\/index|ajv\/)/;
  expect((await listModules()).filter((url) => waiting.test(url))).toEqual([]);
  for (const path of ['/', '/api/tracks', '/api/charts/top-20', '/healthz', '/media/none']) {
    const { status } = await fetch(origin + path);
    expect([path, status]).toEqual([path, expect.toBeOneOf([200, 404, 503])]);
  }
  // Everything else waits: S3, Stripe, PostgreSQL, pictures, sound, e-mail, Markdown, uploads, two-step login.
  expect(listPackages(await listModules())).toEqual([
    'cookie',
    'fast-json-stringify',
    'fastify',
    'kysely',
    'lru-cache',
    'pino',
    // Compares usernames: a first start creates the accounts of the demo.
    'unhomoglyph',
    'zod',
  ]);
  const isSeldom = (url: string) => SELDOM.some((pattern) => pattern.test(url));
  expect((await listModules()).filter(isSeldom)).toEqual([]);

  // The list would notice a package that is loaded.
  expect((await fetch(`${origin}/api/legal/terms`)).ok).toBe(true);
  expect(listPackages(await listModules())).toContain('markdown-it');

  // Node's own HTTP client is large, and this server calls no other one to answer.
  expect(await listModules()).not.toContain(HTTP_CLIENT);
  expect(process).toHaveProperty('moduleLoadList', expect.arrayContaining([HTTP_CLIENT]));
});
