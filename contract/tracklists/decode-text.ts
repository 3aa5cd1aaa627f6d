/** A list of a few hundred names, with everything that a DJ program writes beside them, is smaller. */
export const MAX_TRACKLIST_KB = 512;
export const MAX_TRACKLIST_BYTES = MAX_TRACKLIST_KB * 1024;

/** UTF-16 without a mark: every other byte of Western text is zero. */
function findUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 512);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 8 && odd > even * 4) return 'utf-16le';
  if (even > sample.length / 8 && even > odd * 4) return 'utf-16be';
  return null;
}

function findEncoding(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return findUtf16(bytes);
}

/** A file with more letters beyond ASCII in UTF-8 than bytes that aren't any is a damaged one. */
function isMostlyUtf8(text: string): boolean {
  let [valid, invalid] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) invalid += 1;
    else if (code > 0x7f) valid += 1;
  }
  return valid > invalid;
}

/** The text of a file, in whatever encoding a DJ program has written it. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!text.includes('\uFFFD') || isMostlyUtf8(text)) return text;
  return new TextDecoder('windows-1252').decode(bytes);
}
