import { open, type FileHandle } from 'node:fs/promises';
import { LIMITS } from './limits.ts';
import type { Container } from './media.ts';
import { MediaRefused, type RefusalCode } from './refusals.ts';

const HEAD_BYTES = 64 * 1024;

export type Sniffed = { container: Container } | { refusal: RefusalCode };

const ascii = (bytes: Uint8Array, start: number, length: number) =>
  Buffer.from(bytes.subarray(start, start + length)).toString('latin1');

const LAYER_3_BIT_RATES = {
  v1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Length of the MPEG layer 3 frame that starts at `at`; null if none does. */
export function readMpegFrameLength(bytes: Uint8Array, at: number): number | null {
  const [b0, b1, b2] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (b0 !== 0xff || b1 === undefined || b2 === undefined || (b1 & 0xe6) !== 0xe2) return null;
  const version = (b1 >> 3) & 3;
  if (version === 1) return null;
  const bitRate = LAYER_3_BIT_RATES[version === 3 ? 'v1' : 'v2'][b2 >> 4];
  const baseRate = SAMPLE_RATES[(b2 >> 2) & 3];
  if (!bitRate || !baseRate) return null;
  const sampleRate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  return Math.floor(((version === 3 ? 144 : 72) * bitRate * 1000) / sampleRate) + ((b2 >> 1) & 1);
}

function readAdtsFrameLength(bytes: Uint8Array, at: number): number | null {
  const [b0, b1, b3, b4, b5] = [0, 1, 3, 4, 5].map((offset) => bytes[at + offset]);
  if (b0 !== 0xff || b1 === undefined || (b1 & 0xf6) !== 0xf0) return null;
  if (b3 === undefined || b4 === undefined || b5 === undefined) return null;
  const length = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5);
  return length > 7 ? length : null;
}

/** One sync word can occur by chance in any data; several consecutive frames cannot. */
function hasFrameChain(
  bytes: Uint8Array,
  at: number,
  readLength: (bytes: Uint8Array, at: number) => number | null,
): boolean {
  let next = at;
  for (let frame = 0; frame < 3; frame += 1) {
    const length = readLength(bytes, next);
    if (length === null) return false;
    next += length;
    if (next >= bytes.length) return frame > 0;
  }
  return true;
}

function sniffFrames(bytes: Uint8Array): Container | null {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (hasFrameChain(bytes, at, readMpegFrameLength)) return 'mp3';
    if (at === 0 && hasFrameChain(bytes, at, readAdtsFrameLength)) return 'aac';
  }
  return null;
}

function sniffOgg(bytes: Uint8Array): Sniffed {
  const payload = 27 + (bytes[26] ?? 0);
  const isKnown =
    ascii(bytes, payload, 7) === '\x01vorbis' ||
    ascii(bytes, payload, 8) === 'OpusHead' ||
    ascii(bytes, payload, 5) === '\x7fFLAC';
  return isKnown ? { container: 'ogg' } : { refusal: 'unsupported' };
}

const PLAYLIST = /^\uFEFF?\s*(#EXT|\[playlist\]|ffconcat\s|<\?wpl|<asx)/i;

/**
 * Finds the format from the bytes, whatever the file is called. ffmpeg then gets this format and
 * never guesses, so that no text can pass as a playlist that opens other files or addresses.
 */
export function sniffAudio(bytes: Uint8Array): Sniffed {
  if (bytes.length === 0) return { refusal: 'empty_file' };
  const tag = ascii(bytes, 0, 4);
  if (tag === 'fLaC') return { container: 'flac' };
  if (tag === 'OggS') return sniffOgg(bytes);
  const form = ascii(bytes, 8, 4);
  if (['RIFF', 'RF64', 'BW64'].includes(tag) && form === 'WAVE') return { container: 'wav' };
  if (tag === 'RIFF' && form === 'AVI ') return { refusal: 'video' };
  if (tag === 'FORM' && ['AIFF', 'AIFC'].includes(form)) return { container: 'aiff' };
  if (ascii(bytes, 4, 4) === 'ftyp') return { container: 'm4a' };
  if (tag === '\x1aE\xdf\xa3') return { refusal: 'video' };
  if (tag.startsWith('PK') || tag.startsWith('\x1f\x8b') || tag === 'Rar!' || tag === '7z\xbc\xaf')
    return { refusal: 'archive' };
  if (PLAYLIST.test(Buffer.from(bytes.subarray(0, 256)).toString('utf8')))
    return { refusal: 'playlist' };
  const frames = sniffFrames(bytes);
  return frames ? { container: frames } : { refusal: 'not_audio' };
}

/** Length of the ID3v2 tag before the audio; 0 if there is none. */
export function measureId3(head: Uint8Array): number {
  if (ascii(head, 0, 3) !== 'ID3' || head.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
  return 10 + size + (hasFooter ? 10 : 0);
}

/** True if the last page of an Ogg file declares more bytes than follow. */
export function isOggTruncated(tail: Uint8Array): boolean {
  const at = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).lastIndexOf('OggS');
  if (at < 0) return true;
  const segments = tail[at + 26];
  if (segments === undefined) return true;
  let length = 27 + segments;
  for (let index = 0; index < segments; index += 1) length += tail[at + 27 + index] ?? 0;
  return at + length > tail.length;
}

const STREAMED_SIZE = 0xffffff00;
/** Some recorders miscount their own headers. */
const WAV_SLACK_BYTES = 4096;

/** True if a WAV declares more bytes than the file has. A streamed WAV declares no size. */
export function isWavTruncated(head: Uint8Array, fileSize: number): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 28) return true;
  const short = view.getUint32(4, true);
  const isLong = ascii(head, 12, 4) === 'ds64';
  const declared = isLong ? Number(view.getBigUint64(20, true)) : short;
  if (!isLong && (short === 0 || short >= STREAMED_SIZE)) return false;
  return declared + 8 > fileSize + WAV_SLACK_BYTES;
}

const readAt = async (handle: FileHandle, position: number) => {
  const buffer = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, position);
  return buffer.subarray(0, bytesRead);
};

/** The first bytes of audio after any tags; null if the file ends before that. */
async function findAudio(handle: FileHandle): Promise<{ start: number; head: Buffer } | null> {
  const { size } = await handle.stat();
  let start = 0;
  let head = await readAt(handle, 0);
  for (let tags = 0; tags < 3; tags += 1) {
    const length = measureId3(head);
    if (length === 0) break;
    start += length;
    if (start >= size) return null;
    head = await readAt(handle, start);
  }
  return { start, head };
}

/** The format of a file that is still arriving; null while it is unknown. */
export async function sniffPartialFile(file: string): Promise<Container | null> {
  await using handle = await open(file, 'r');
  const audio = await findAudio(handle);
  const sniffed = audio && sniffAudio(audio.head);
  return sniffed && 'container' in sniffed ? sniffed.container : null;
}

/** Reads as little as possible; throws `MediaRefused` if the file is not audio. */
export async function sniffAudioFile(file: string): Promise<Container> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  if (size === 0) throw new MediaRefused('empty_file');
  if (size > LIMITS.bytes) throw new MediaRefused('too_big');
  const read = (position: number) => readAt(handle, position);
  const audio = await findAudio(handle);
  if (!audio) throw new MediaRefused('truncated');
  const { start, head } = audio;
  const sniffed = sniffAudio(head);
  if ('refusal' in sniffed) throw new MediaRefused(sniffed.refusal);
  if (sniffed.container === 'ogg' && isOggTruncated(await read(Math.max(0, size - HEAD_BYTES))))
    throw new MediaRefused('truncated');
  if (sniffed.container === 'wav' && isWavTruncated(head, size - start))
    throw new MediaRefused('truncated');
  return sniffed.container;
}
