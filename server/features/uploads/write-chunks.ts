import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../../http/app-error.ts';

/** Large writes: each costs a thread of the pool, and small ones are most of the time of a big file. */
const BLOCK = 1024 * 1024;
/** So much may wait for the disk while more arrives: the last sync of a part then finds little left. */
const SYNC_EVERY = 16 * BLOCK;

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

type Options = {
  offset: number;
  /** The file ends here, whatever is sent. */
  limit?: number;
  /** Nobody else holds what the stream hands out: it is gone once it is written. */
  ownsChunks?: boolean;
  onBytes?: (size: number) => void;
};

/**
 * Gives memory back at once. The collector does not hurry for buffers, which are little to it and
 * much to the machine: a large file would otherwise hold some sixty megabytes of what is written.
 */
function release(chunks: readonly Buffer[]) {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Collects chunks into blocks. While one is written the next is collected, and the disk works along. */
function createBlockWriter(file: FileHandle, { offset, ownsChunks = false }: Options) {
  let position = offset;
  let block: Buffer[] = [];
  let blockSize = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  let isSyncing = false;
  let unsynced = 0;

  function syncAlong() {
    if (isSyncing || unsynced < SYNC_EVERY) return;
    isSyncing = true;
    unsynced = 0;
    // A sync that failed is not asked for again: it is what the last one answers.
    syncing = syncing.then(() => file.datasync());
    syncing.then(
      () => (isSyncing = false),
      () => undefined,
    );
  }
  const flush = async () => {
    await writing;
    const [chunks, at] = [block, position];
    position += blockSize;
    unsynced += blockSize;
    block = [];
    blockSize = 0;
    writing = writeAll(file, chunks, at);
    writing.then(
      () => {
        if (ownsChunks) release(chunks);
        syncAlong();
      },
      () => undefined,
    );
  };
  return {
    size: () => position + blockSize,
    take: async (chunk: Buffer) => {
      block.push(chunk);
      blockSize += chunk.length;
      if (blockSize >= BLOCK) await flush();
    },
    /** Answers where it ended, once all of it is on disk. */
    finish: async () => {
      await flush();
      await writing;
      await syncing;
      await file.datasync();
      return position;
    },
    /** What is under way has ended: the file may be closed. */
    settle: () => Promise.allSettled([writing, syncing]),
  };
}

export type Written = {
  /** Where it ended. */
  end: number;
  /** Why it ended before the stream was through; null when it was not. */
  broke: Error | null;
};

/**
 * Writes a stream into a file from an offset on. What has arrived is on disk when this returns,
 * also when the stream broke off: the sender goes on from there.
 */
export async function writeChunks(
  path: string,
  stream: Readable,
  options: Options,
): Promise<Written> {
  const { limit = Infinity, onBytes } = options;
  const file = await open(path, 'r+');
  const writer = createBlockWriter(file, options);
  const source = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let broke: Error | null = null;
  const read = async () => {
    try {
      return await source.next();
    } catch (error) {
      broke = error as Error;
      return null;
    }
  };
  try {
    for (let next = await read(); next && !next.done; next = await read()) {
      if (writer.size() + next.value.length > limit)
        throw new AppError('payload_too_large', { message: 'More was sent than was announced.' });
      await writer.take(next.value);
      onBytes?.(writer.size());
    }
    return { end: await writer.finish(), broke };
  } finally {
    // What cannot be taken is let through: the answer is read, and the connection used, after it.
    await source.return?.();
    stream.resume();
    await writer.settle();
    await file.close();
  }
}

/** Whatever was written to a file before, by whom ever, is on disk. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.datasync();
}
