import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Large writes: each costs a thread of the pool, and small ones are most of the time of a big file. */
const BLOCK = 1024 * 1024;

async function writeAll(file: FileHandle, chunks: readonly Buffer[], position: number) {
  let at = position;
  let rest = chunks;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    at += bytesWritten;
    let written = bytesWritten;
    // A write may stop anywhere, also in the middle of a chunk.
    rest = rest.flatMap((chunk) => {
      const skipped = Math.min(written, chunk.length);
      written -= skipped;
      return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
    });
  }
}

/**
 * Writes a stream into a file from an offset on and answers where it ended. What has arrived is on
 * disk when this returns, also when the stream broke off: the sender goes on from there.
 */
export async function writeChunks(path: string, stream: Readable, offset: number): Promise<number> {
  const file = await open(path, 'r+');
  let position = offset;
  let writing: Promise<void> = Promise.resolve();
  let block: Buffer[] = [];
  let blockSize = 0;
  // The next block is collected while the one before it is written.
  const flush = async () => {
    await writing;
    const chunks = block;
    writing = writeAll(file, chunks, position);
    writing.catch(() => undefined);
    position += blockSize;
    block = [];
    blockSize = 0;
  };
  try {
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        block.push(chunk);
        blockSize += chunk.length;
        if (blockSize >= BLOCK) await flush();
      }
    } finally {
      await flush();
      await writing;
      await file.datasync();
    }
    return position;
  } finally {
    await file.close();
  }
}
