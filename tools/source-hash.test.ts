import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { webHashPath, hashSources, isWebBuildCurrent } from './source-hash.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'source-hash-'));
  await mkdir(join(root, 'web/boot'), { recursive: true });
  await mkdir(join(root, 'contract'));
  await mkdir(join(root, 'dist/web'), { recursive: true });
  await writeFile(join(root, 'web/boot/main.tsx'), 'main');
  await writeFile(join(root, 'contract/api.ts'), 'api');
  await writeFile(join(root, 'vite.config.ts'), 'vite');
  await writeFile(join(root, 'package-lock.json'), '{}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function pretendToBuild(): Promise<void> {
  await writeFile(join(root, 'dist/web/index.html'), '<!doctype html>');
  await writeFile(webHashPath(root), await hashSources(root));
}

describe('the hash of the web sources', () => {
  test('is the same for the same files', async () => {
    expect(await hashSources(root)).toBe(await hashSources(root));
  });

  test.each(['web/boot/main.tsx', 'contract/api.ts', 'vite.config.ts', 'package-lock.json'])(
    'changes with the content of %s',
    async (file) => {
      const before = await hashSources(root);
      await writeFile(join(root, file), 'something else');
      expect(await hashSources(root)).not.toBe(before);
    },
  );

  test('changes when a file is added or renamed', async () => {
    const before = await hashSources(root);
    await writeFile(join(root, 'web/icon.svg'), '');
    const added = await hashSources(root);
    await rename(join(root, 'web/icon.svg'), join(root, 'web/logo.svg'));
    expect(new Set([before, added, await hashSources(root)]).size).toBe(3);
  });

  test('ignores tests, caches and everything outside the sources', async () => {
    const before = await hashSources(root);
    await writeFile(join(root, 'web/boot/main.test.tsx'), 'test');
    await mkdir(join(root, 'web/node_modules/.vite'), { recursive: true });
    await writeFile(join(root, 'web/node_modules/.vite/deps.js'), 'cache');
    await writeFile(join(root, 'README.md'), 'read me');
    expect(await hashSources(root)).toBe(before);
  });
});

describe('a web build', () => {
  test('is not current when there is none', async () => {
    expect(await isWebBuildCurrent(root)).toBe(false);
  });

  test('is current right after building and stale after a change', async () => {
    await pretendToBuild();
    expect(await isWebBuildCurrent(root)).toBe(true);
    await writeFile(join(root, 'web/boot/main.tsx'), 'changed');
    expect(await isWebBuildCurrent(root)).toBe(false);
  });

  test('is not current when its page was deleted', async () => {
    await pretendToBuild();
    await rm(join(root, 'dist/web/index.html'));
    expect(await isWebBuildCurrent(root)).toBe(false);
  });
});
