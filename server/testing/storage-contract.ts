import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../ports/storage/storage.ts';

export type StorageUnderTest = { storage: Storage; close: () => Promise<void> };

/** What every store must do; the test of each adapter runs it. */
export function describeStorage(name: string, create: () => Promise<StorageUnderTest>) {
  describe(`${name} stores files`, () => {
    let subject: StorageUnderTest;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(() => subject.close());

    const read = async (key: string, range?: { start: number; end: number }) => {
      const file = await subject.storage.open(key, range);
      return file && { size: file.size, bytes: await buffer(file.stream) };
    };

    it('returns what was put, from bytes and from a stream', async () => {
      const bytes = randomBytes(300_000);
      await subject.storage.put('tests/a.bin', bytes);
      await subject.storage.put('tests/deeper/b.bin', Readable.from([bytes, bytes]));
      expect(await read('tests/a.bin')).toEqual({ size: 300_000, bytes });
      expect(await read('tests/deeper/b.bin')).toEqual({
        size: 600_000,
        bytes: Buffer.concat([bytes, bytes]),
      });
      expect(await subject.storage.stat('tests/a.bin')).toEqual({ size: 300_000 });
    });

    it('stores a stream larger than one part of a multipart upload', async () => {
      const block = randomBytes(1024 * 1024);
      const blocks = 20;
      await subject.storage.put('tests/large.bin', Readable.from(Array(blocks).fill(block)));
      const size = blocks * block.length;
      expect(await subject.storage.stat('tests/large.bin')).toEqual({ size });
      const stored = await read('tests/large.bin');
      expect(stored?.bytes.equals(Buffer.concat(Array<Buffer>(blocks).fill(block)))).toBe(true);
      const start = 8 * block.length - 5;
      const seam = await read('tests/large.bin', { start, end: start + 9 });
      const expected = Buffer.concat([block.subarray(-5), block.subarray(0, 5)]);
      expect(seam).toEqual({ size, bytes: expected });
    });

    it('adopts a local file, and lists the files in a folder', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'adopted-'));
      const path = join(folder, 'file');
      await writeFile(path, 'a master');
      await subject.storage.adopt('masters/a.wav', path);
      await subject.storage.put('tests/other.txt', Buffer.from('other'));
      expect(await read('masters/a.wav')).toEqual({ size: 8, bytes: Buffer.from('a master') });
      expect(await readdir(folder)).toEqual([]);
      const listed: string[] = [];
      for await (const { key, size, modifiedAt } of subject.storage.list('masters'))
        listed.push(`${key} ${size} ${modifiedAt > 0}`);
      expect(listed).toEqual(['masters/a.wav 8 true']);
      await rm(folder, { recursive: true });
    });

    it('stores an empty file', async () => {
      await subject.storage.put('tests/empty', Readable.from([]));
      expect(await read('tests/empty')).toEqual({ size: 0, bytes: Buffer.alloc(0) });
    });

    it('returns an inclusive range and the full size', async () => {
      await subject.storage.put('tests/a.txt', Buffer.from('0123456789'));
      const part = await read('tests/a.txt', { start: 2, end: 4 });
      expect(part).toEqual({ size: 10, bytes: Buffer.from('234') });
    });

    it('replaces a whole file', async () => {
      await subject.storage.put('tests/a.txt', Buffer.from('a long first version'));
      await subject.storage.put('tests/a.txt', Buffer.from('short'));
      expect((await read('tests/a.txt'))?.bytes.toString()).toBe('short');
    });

    it('returns null for a missing file', async () => {
      expect(await read('tests/none')).toBeNull();
      expect(await subject.storage.stat('tests/none')).toBeNull();
    });

    it('deletes a file, even twice', async () => {
      await subject.storage.put('tests/a.txt', Buffer.from('x'));
      await subject.storage.delete('tests/a.txt');
      await subject.storage.delete('tests/a.txt');
      expect(await subject.storage.stat('tests/a.txt')).toBeNull();
    });

    it.each([
      ['at once', 2],
      ['after parts have been sent', 12 * 1024 * 1024],
    ])('keeps the old version when a stream fails %s', async (_when, size) => {
      await subject.storage.put('tests/a.txt', Buffer.from('old'));
      const broken = Readable.from(
        (function* () {
          for (let sent = 0; sent < size; sent += 1024 * 1024) yield Buffer.alloc(1024 * 1024);
          throw new Error('the upload failed');
        })(),
      );
      await expect(subject.storage.put('tests/a.txt', broken)).rejects.toThrow('upload failed');
      expect((await read('tests/a.txt'))?.bytes.toString()).toBe('old');
    });

    it.each([
      '../outside',
      'tests/../../outside',
      '/etc/passwd',
      'tests//a',
      'tests/.hidden',
      'tests/a\\b',
      'tests/a\0',
      'tests/ä',
      'tests/A',
      'a',
      '',
      `tests/${'a'.repeat(200)}`,
    ])('refuses the key %j', async (key) => {
      const message = /Not a storage key/;
      await expect(subject.storage.put(key, Buffer.from('x'))).rejects.toThrow(message);
      await expect(subject.storage.open(key)).rejects.toThrow(message);
      await expect(subject.storage.stat(key)).rejects.toThrow(message);
      await expect(subject.storage.delete(key)).rejects.toThrow(message);
    });

    it('can be probed', async () => {
      await expect(subject.storage.probe()).resolves.toBeUndefined();
    });
  });
}
