import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyReply } from 'fastify';
import type { ByteRange } from './byte-range.ts';
import { canHandOver, handOver } from './hand-over.ts';
import { createWarmBlocks } from './warm-blocks.ts';

const KB = 1024;
/** Each part costs a trip to another thread or to the kernel, so a fast line gets large ones. */
const LARGE_READ = 1024 * KB;
/** What a slow line has not taken yet stays in memory, so it gets small ones. */
const SMALL_READ = 64 * KB;
const SLOW_MS = 100;
const KEPT_BUFFERS = 16;

const readInto = promisify(read);
/** Fresh megabytes cost more than filling them; these are used again. */
const freeBuffers: Buffer[] = [];

const takeBuffer = (size: number): Buffer =>
  size > SMALL_READ
    ? (freeBuffers.pop() ?? Buffer.allocUnsafeSlow(LARGE_READ))
    : Buffer.allocUnsafe(size);

function returnBuffer(buffer: Buffer) {
  if (buffer.length === LARGE_READ && freeBuffers.length < KEPT_BUFFERS) freeBuffers.push(buffer);
}

const warmBlocks = createWarmBlocks();

type Source = { path: string; fd: number };
type Sending = Source & { response: ServerResponse; gone: Promise<never> };

const SHORTER = 'The file is shorter than it was when it was stored.';

/** What may have to come from the disk is read elsewhere; the rest is here sooner than there. */
async function readPart({ path, fd }: Source, buffer: Buffer, size: number, at: number) {
  if (warmBlocks.isWarm(path, at, size)) {
    const before = performance.now();
    const bytesRead = readSync(fd, buffer, 0, size, at);
    warmBlocks.judge(performance.now() - before);
    return bytesRead;
  }
  const { bytesRead } = await readInto(fd, buffer, 0, size, at);
  if (bytesRead > 0) warmBlocks.remember(path, at, bytesRead);
  return bytesRead;
}

/** Resolves once the bytes have left this process, so that the buffer may be filled again. */
async function writePart({ response, gone }: Sending, bytes: Buffer) {
  const written = new Promise<void>((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  await Promise.race([written, gone]);
}

async function sendPart(sending: Sending, at: number, size: number) {
  const buffer = takeBuffer(size);
  const bytesRead = await readPart(sending, buffer, size, at);
  if (bytesRead === 0) throw new Error(SHORTER);
  // After a failed write the bytes may still be on their way: that buffer is not used again.
  await writePart(sending, buffer.subarray(0, bytesRead));
  returnBuffer(buffer);
  return bytesRead;
}

/** Nothing of what would have to be waited for: neither a disk nor a slow line. */
function handOverPart({ response, path, fd }: Sending, at: number, size: number): number {
  if (!warmBlocks.isWarm(path, at, size)) return 0;
  const before = performance.now();
  const taken = handOver(response, fd, at, size);
  warmBlocks.judge(performance.now() - before);
  return taken;
}

async function sendRange(sending: Sending, { start, end }: ByteRange) {
  let largest = LARGE_READ;
  for (let at = start; at <= end;) {
    const size = Math.min(LARGE_READ, end - at + 1);
    const taken = handOverPart(sending, at, size);
    at += taken;
    if (taken === size) {
      if (at <= end) await Promise.race([nextTurn(), sending.gone]);
      continue;
    }
    // A line that took a part of it has enough to do: it gets the next bytes when it wants them.
    const before = performance.now();
    at += await sendPart(sending, at, Math.min(taken > 0 ? SMALL_READ : largest, end - at + 1));
    largest = performance.now() - before > SLOW_MS ? SMALL_READ : LARGE_READ;
  }
  sending.response.end();
}

const writeHead = (reply: FastifyReply) =>
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);

/** A part that fits into one buffer, as most do: read before anything is said, written at once. */
async function sendAtOnce(reply: FastifyReply, source: Source, { start, end }: ByteRange) {
  const size = end - start + 1;
  const buffer = takeBuffer(size);
  if ((await readPart(source, buffer, size, start)) < size) throw new Error(SHORTER);
  reply.hijack();
  const { socket } = reply.request.raw;
  writeHead(reply).end(buffer.subarray(0, size), () => {
    // When the connection goes, the bytes may still be on their way: that buffer is not used again.
    if (!socket.destroyed) returnBuffer(buffer);
  });
}

/** A write to a connection that waits its turn is never answered when the connection goes. */
function watchConnection(reply: FastifyReply) {
  const { socket } = reply.request.raw;
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const onClose = () => reject(new Error('The connection is gone.'));
  socket.once('close', onClose);
  return { gone: promise, unwatch: () => socket.off('close', onClose) };
}

/**
 * Sends a part of a file on this machine's disk, past the framework's streams: the reply is ready
 * but for its body. Throws before anything is sent when the file is not there, or not all of it.
 */
export async function sendLocalFile(reply: FastifyReply, path: string, range: ByteRange) {
  // Opening touches the directory only.
  const fd = openSync(path, 'r');
  try {
    if (fstatSync(fd).size <= range.end) throw new Error(SHORTER);
    const size = range.end - range.start + 1;
    const isShort = size <= LARGE_READ;
    const isHandedOver = canHandOver(reply.raw) && warmBlocks.isWarm(path, range.start, size);
    if (isShort && !isHandedOver) await sendAtOnce(reply, { path, fd }, range);
    else await sendInParts(reply, { path, fd }, range);
  } finally {
    closeSync(fd);
  }
}

async function sendInParts(reply: FastifyReply, source: Source, range: ByteRange) {
  reply.hijack();
  const response = reply.raw;
  const { gone, unwatch } = watchConnection(reply);
  try {
    writeHead(reply).flushHeaders();
    await sendRange({ ...source, response, gone }, range);
  } catch (error) {
    const { socket } = reply.request.raw;
    if (!socket.destroyed)
      reply.log.error({ reqId: reply.request.id, err: error }, 'sending a file failed');
    // The length was promised already: breaking off is the only way to say that it is not all.
    response.destroy();
  } finally {
    unwatch();
  }
}
