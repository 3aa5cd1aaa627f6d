import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../../http/route/app-error.ts';

/** Large, because each write costs a thread of the pool. */
const BLOCK = 1024 * 1024;
/** Syncs while more bytes arrive, so that the last sync of a part has little left to do. */
const SYNC_EVERY = 16 * BLOCK;

async function writeAll(file: FileHandle, chunks: readonly Buffer[], position: number) {
  let at = position;
  let rest = chunks;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at);
    at += bytesWritten;
    let written = bytesWritten;
    // A write can stop anywhere, even within a chunk.
    rest = rest.flatMap((chunk) => {
      const skipped = Math.min(written, chunk.length);
      written -= skipped;
      return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
    });
  }
}

type Options = {
  offset: number;
  /** The file may not grow beyond this. */
  limit?: number;
  /** Nothing else uses the chunks, so their memory is freed once they are written. */
  ownsChunks?: boolean;
};

/**
 * Frees memory immediately. The garbage collector collects buffers late, so a large file would occupy
 * some 60 MB of bytes that are already written.
 */
function release(chunks: readonly Buffer[]) {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Collects chunks into blocks, and writes one block while it collects the next. */
function createBlockWriter(file: FileHandle, { offset, ownsChunks = false }: Options) {
  let position = offset;
  let block: Buffer[] = [];
  let blockSize = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  let isSyncing = false;
  let unsynced = 0;

  function syncInBackground() {
    if (isSyncing || unsynced < SYNC_EVERY) return;
    isSyncing = true;
    unsynced = 0;
    // A failed sync is not repeated: `finish` reports it.
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
        syncInBackground();
      },
      () => undefined,
    );
  };
  return {
    size: () => position + blockSize,
    add: async (chunk: Buffer) => {
      block.push(chunk);
      blockSize += chunk.length;
      if (blockSize >= BLOCK) await flush();
    },
    /** Returns the end offset once everything is on disk. */
    finish: async () => {
      await flush();
      await writing;
      await syncing;
      await file.datasync();
      return position;
    },
    /** Waits for pending writes, so that the file can be closed. */
    waitForPending: () => Promise.allSettled([writing, syncing]),
  };
}

export type WriteResult = {
  /** Offset of the end. */
  end: number;
  /** Why the stream ended early; null if it did not. */
  streamError: Error | null;
};

/**
 * Writes a stream to a file, starting at an offset. What has arrived is on disk when this returns,
 * even if the stream failed, so that the browser can resume there.
 */
export async function writeChunks(
  path: string,
  stream: Readable,
  options: Options,
): Promise<WriteResult> {
  const { limit = Infinity } = options;
  const file = await open(path, 'r+');
  const writer = createBlockWriter(file, options);
  const source = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let streamError: Error | null = null;
  const read = async () => {
    try {
      return await source.next();
    } catch (error) {
      streamError = error as Error;
      return null;
    }
  };
  try {
    for (let next = await read(); next && !next.done; next = await read()) {
      if (writer.size() + next.value.length > limit)
        throw new AppError('payload_too_large', { message: 'The upload is larger than declared.' });
      await writer.add(next.value);
    }
    return { end: await writer.finish(), streamError };
  } finally {
    // Reads the rest, so that the browser sees the response and can reuse the connection.
    await source.return?.();
    stream.resume();
    await writer.waitForPending();
    await file.close();
  }
}
