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

/** A file with more non-ASCII letters in UTF-8 than invalid bytes is damaged UTF-8. */
function isMostlyUtf8(text: string): boolean {
  let [valid, invalid] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) invalid += 1;
    else if (code > 0x7f) valid += 1;
  }
  return valid > invalid;
}

/** The share of non-ASCII letters in runs of three or more. Western languages have none. */
function findRunShare(bytes: Uint8Array): number {
  let [high, inRuns, run] = [0, 0, 0];
  const endRun = () => {
    high += run;
    if (run > 2) inRuns += run;
    run = 0;
  };
  for (const byte of bytes)
    if (byte >= 0x80) run += 1;
    else endRun();
  endRun();
  return high === 0 ? 0 : inRuns / high;
}

/** Whether nearly all non-ASCII characters are letters of the encoding's language. */
function isMostlyOf(text: string, letters: RegExp): boolean {
  const beyond = text.match(/[^\0-\x7f]/g) ?? [];
  return beyond.filter((letter) => letters.test(letter)).length > beyond.length * 0.9;
}

const KANA = /[ぁ-ゖァ-ヺ]/;
const JAPANESE =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\u3000-\u303f\uff01-\uff5eー]/u;
const CYRILLIC = /[А-яЁёІіЇїЄєҐґ«»—–„“”’…№\u00a0•]/;

/** A file in one of the old encodings with one byte, or two, per letter. */
function decodeOld(bytes: Uint8Array): string {
  const japanese = new TextDecoder('shift_jis').decode(bytes);
  const isJapanese = !japanese.includes('\uFFFD') && KANA.test(japanese);
  if (isJapanese && isMostlyOf(japanese, JAPANESE)) return japanese;
  if (findRunShare(bytes) < 0.5) return new TextDecoder('windows-1252').decode(bytes);
  const cyrillic = new TextDecoder('windows-1251').decode(bytes);
  if (isMostlyOf(cyrillic, CYRILLIC)) return cyrillic;
  // None of them fits. Its lines become problems instead of meaningless tracks.
  return new TextDecoder('utf-8').decode(bytes);
}

/** The text of a file, in whatever encoding a DJ program has written it. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!text.includes('\uFFFD') || isMostlyUtf8(text)) return text;
  return decodeOld(bytes);
}
