import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashFile } from './hash-file.ts';

const READ = 1024 * 1024;

describe('the hash of a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'test-hash-file-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = async (bytes: Buffer): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    return path;
  };

  it.for([0, 1, READ - 1, READ, READ + 1, 2 * READ + 7])('is of all its %i bytes', async (size) => {
    const bytes = Buffer.alloc(size, 'bytes that are not all the same');
    expect(await hashFile(await write(bytes))).toEqual({
      size,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  it('ends with whoever wanted it', async () => {
    const reading = hashFile(await write(Buffer.alloc(1)), { signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
