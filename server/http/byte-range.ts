export type ByteRange = { start: number; /** The last byte, included. */ end: number };
export type RangeAnswer = { status: 200 } | { status: 206; range: ByteRange } | { status: 416 };

/**
 * What a Range header asks of a file, by RFC 9110: one range is served, a suffix counts from the
 * end, an end past the file is cut, a start past it cannot be satisfied. Several ranges and anything
 * malformed are answered with the whole file, which the RFC allows.
 */
export function readRange(header: string | undefined, size: number): RangeAnswer {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { status: 200 };
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return { status: 200 };
  if (start >= size || (first === '' && Number(last) === 0)) return { status: 416 };
  return { status: 206, range: { start, end } };
}

/** With If-Range, a part is only right when the file is still the one the client has the rest of. */
export const isRangeCurrent = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;

/** RFC 9110: weak comparison, a list, or any. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .map((candidate) => candidate.trim().replace(/^W\//, ''))
    .some((candidate) => candidate === '*' || candidate === etag);
