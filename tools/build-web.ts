import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  createBuiltFiles,
  findRoutes,
  PAGE_LIMIT,
  reportWeights,
  WEIGHT_LIMITS,
  type PageRoute,
  type Script,
} from './built-files.ts';
import { webHashPath, hashSources } from './source-hash.ts';

const { build, createLogger } = await import('vite').catch((error: unknown) => {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    'What builds the web app is not installed. Run: npm ci && npm run build && npm prune --omit=dev',
  );
  process.exit(1);
});

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

/** The app for browsers. */
async function buildApp(): Promise<Script[]> {
  const built = await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    customLogger: logger,
  });
  if (!('output' in built)) throw new Error('The build has no single output.');
  return built.output.filter((file) => file.type === 'chunk');
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
    },
  });
}

/** A single script without imports, which every browser accepts as a service worker. */
async function buildServiceWorker(urls: readonly string[]): Promise<void> {
  const precached = urls.map((url) => ({ url, revision: null }));
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

const readRoutes = async (table: string): Promise<PageRoute[]> =>
  findRoutes(await readFile(join(root, 'web', table), 'utf8'));

const ADMIN_TABLE = 'admin/admin-routes.tsx';

/** Every page, in the order in which they match. */
async function listRoutes(): Promise<PageRoute[]> {
  const admin = await readRoutes(ADMIN_TABLE);
  return [
    ...admin.map(({ path, modules }) => ({ path, modules: [ADMIN_TABLE, ...modules] })),
    ...(await readRoutes('router/routes.ts')),
  ];
}

// Computed first: if a file changes during the build, the build counts as stale.
const hash = await hashSources(root);
// A build that fails halfway must not count as current.
await rm(webHashPath(root), { force: true });
const files = createBuiltFiles(await buildApp(), join(root, 'web'));
await buildRenderer();
await buildServiceWorker(files.listPrecached());
await precompress(outDir);
const routes = await listRoutes();
// For the server, which names them in a page's HTML, so that a browser asks for them at once.
await mkdir(join(outDir, '.vite'), { recursive: true });
await writeFile(
  join(outDir, '.vite', 'page-files.json'),
  JSON.stringify(files.listPageFiles(routes)),
);
const report = reportWeights(
  [
    { what: '/ until it is quiet', files: files.listHomeScripts(), limit: WEIGHT_LIMITS.script },
    ...routes.map((route) => ({
      what: `${route.path} until it can render`,
      files: files.listPageScripts(route),
      limit: PAGE_LIMIT,
    })),
  ],
  (file) => statSync(join(outDir, `${file}.br`)).size,
);
console.log(report.text);
if (report.isWithinLimit) await writeFile(webHashPath(root), hash);
else process.exitCode = 1;
// A warning would greet everyone at their first start, so the test run fails on it. A start doesn't.
if (logger.hasWarned && process.argv.includes('--fail-on-warnings')) {
  console.error('The build printed warnings.');
  process.exitCode = 1;
}
