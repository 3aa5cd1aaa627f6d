import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { describeStorage } from '../../testing/storage-contract.ts';
import { createLocalStorage } from './local-storage.ts';

const createFolder = () => mkdtemp(join(tmpdir(), 'test-storage-'));

describeStorage('the local disk', async () => {
  const folder = await createFolder();
  return {
    storage: createLocalStorage(join(folder, 'files')),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

it('leaves no half-written file behind', async () => {
  const folder = await createFolder();
  try {
    const broken = new Readable({
      read() {
        this.destroy(new Error('broke off'));
      },
    });
    await expect(createLocalStorage(folder).put('tests/a', broken)).rejects.toThrow('broke off');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('fails its probe in a folder it cannot write to', async () => {
  const folder = await createFolder();
  try {
    await writeFile(join(folder, 'files'), 'in the way');
    await expect(createLocalStorage(join(folder, 'files')).probe()).rejects.toThrow(
      /EEXIST|ENOTDIR/,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
