import { CHUNK_BYTES } from './kept-file.ts';

export type StoredRange = { start: number; /** The last byte, included. */ end: number };

/**
 * The part that a Range header asks for. Null stands for the whole: no header, several ranges, or
 * one that makes no sense. `unsatisfiable` begins behind the end.
 */
export function parseRange(
  header: string | null,
  size: number,
): StoredRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (!first && !last) return null;
  if (!first) {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return null;
  return start < size ? { start, end } : 'unsatisfiable';
}

export type ChunkPart = { index: number; from: number; /** Not included. */ to: number };

/** Which bytes of which chunks make up a range, in order. */
export function planChunks({ start, end }: StoredRange, chunkBytes = CHUNK_BYTES): ChunkPart[] {
  const parts: ChunkPart[] = [];
  for (let at = start; at <= end;) {
    const index = Math.floor(at / chunkBytes);
    const from = at - index * chunkBytes;
    const to = Math.min(chunkBytes, end + 1 - index * chunkBytes);
    parts.push({ index, from, to });
    at += to - from;
  }
  return parts;
}
