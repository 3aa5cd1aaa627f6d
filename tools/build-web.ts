import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, createLogger } from 'vite';
import {
  findRoutes,
  listHomeScripts,
  listPageFiles,
  listPrecached,
  reportScripts,
  type Manifest,
} from './build-manifest.ts';
import { findFile } from './script-files.ts';
import { webHashPath, hashSources } from './source-hash.ts';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'dist', 'web');
const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest|ico|map)$/;

/** Remembers whether anything was printed. */
const logger = createLogger('warn');

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Compresses the files once, at the highest level, instead of for every visitor. */
async function precompress(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  const texts = files.filter((file) => COMPRESSIBLE.test(file) && !file.startsWith('.vite'));
  await Promise.all(
    texts.map(async (file) => {
      const path = join(folder, file);
      const content = await readFile(path);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await writeFile(`${path}.br`, await compressBrotli(content, { params }));
      await writeFile(`${path}.gz`, await compressGzip(content, { level: 9 }));
    }),
  );
}

async function readManifest(): Promise<Manifest> {
  const text = await readFile(join(outDir, '.vite', 'manifest.json'), 'utf8');
  return JSON.parse(text) as Manifest;
}

/** The same app for the server, which renders the first page that a browser asks for. */
async function buildRenderer(): Promise<void> {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    customLogger: logger,
    ssr: { noExternal: true },
    // Otherwise React's much slower and larger development build runs on the server.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: join(root, 'web/boot/render-page.tsx'),
      outDir: join(root, 'dist', 'render'),
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
    },
  });
}

/** A single script without imports, which every browser accepts as a service worker. */
async function buildServiceWorker(manifest: Manifest): Promise<void> {
  const precached = listPrecached(manifest).map((url) => ({ url, revision: null }));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    customLogger: logger,
    define: {
      PRECACHED: JSON.stringify(precached),
      'process.env.NODE_ENV': JSON.stringify('production'),
    },
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: join(root, 'web/offline/worker/main.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}

async function measureScripts(manifest: Manifest): Promise<ReturnType<typeof reportScripts>> {
  const files = listHomeScripts(manifest);
  return reportScripts(
    await Promise.all(
      files.map(async (file) => ({ file, size: (await stat(join(outDir, `${file}.br`))).size })),
    ),
  );
}

/** The tables of routes, in the order in which they match. */
const ROUTE_TABLES = ['web/router/routes.ts', 'web/router/rare-routes.tsx'];

/** For the server, which names them in a page's HTML, so that a browser asks for them at once. */
async function writePageFiles(manifest: Manifest): Promise<void> {
  const routes = await Promise.all(
    ROUTE_TABLES.map(async (table) => findRoutes(await readFile(join(root, table), 'utf8'))),
  );
  const isCatchAll = ({ path }: { path: string }) => path === '*';
  const sorted = routes.flat().toSorted((a, b) => Number(isCatchAll(a)) - Number(isCatchAll(b)));
  const pageFiles = listPageFiles(manifest, sorted, findFile);
  await writeFile(join(outDir, '.vite', 'page-files.json'), JSON.stringify(pageFiles));
}

// Computed first: if a file changes during the build, the build counts as stale.
const hash = await hashSources(root);
// A build that fails halfway must not count as current.
await rm(webHashPath(root), { force: true });
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', customLogger: logger });
await buildRenderer();
const manifest = await readManifest();
await buildServiceWorker(manifest);
await precompress(outDir);
await writePageFiles(manifest);
const report = await measureScripts(manifest);
console.log(report.text);
if (report.isWithinLimit) await writeFile(webHashPath(root), hash);
else process.exitCode = 1;
// A warning would greet everyone at their first start, so the test run fails on it. A start doesn't.
if (logger.hasWarned && process.argv.includes('--fail-on-warnings')) {
  console.error('The build printed warnings.');
  process.exitCode = 1;
}
