import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The sources of the web app. A change in any of them makes the build stale. */
const WEB_SOURCES = ['web', 'contract', 'vite.config.ts', 'package-lock.json'];

const IGNORED = /\.test\.tsx?$|(^|\/)(node_modules|\.[^/]+)(\/|$)/;

async function listFiles(root: string, path: string): Promise<string[]> {
  const entry = await stat(join(root, path)).catch(() => undefined);
  if (!entry) return [];
  if (!entry.isDirectory()) return [path];
  const names = await readdir(join(root, path));
  const nested = await Promise.all(names.map((name) => listFiles(root, `${path}/${name}`)));
  return nested.flat();
}

/** Hashes the names and contents of all files in `sources`, except tests and caches. */
export async function hashSources(root: string, sources: string[] = WEB_SOURCES): Promise<string> {
  const found = await Promise.all(sources.map((source) => listFiles(root, source)));
  const files = found
    .flat()
    .filter((file) => !IGNORED.test(file))
    .toSorted();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = createHash('sha256').update(await readFile(join(root, file)));
    hash.update(`${file}\0${content.digest('hex')}\n`);
  }
  return hash.digest('hex');
}

/** Where a build saves the hash of its sources. */
export const webHashPath = (root: string): string => join(root, 'dist', 'web.hash');

export async function isWebBuildCurrent(root: string): Promise<boolean> {
  const built = await readFile(webHashPath(root), 'utf8').catch(() => undefined);
  const page = await stat(join(root, 'dist', 'web', 'index.html')).catch(() => undefined);
  if (!built || !page) return false;
  return built.trim() === (await hashSources(root));
}
