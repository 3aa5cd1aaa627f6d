import type { MediaTags } from './media.ts';

const TEXT_LENGTH = 200;
const COMMENT_LENGTH = 2000;

/**
 * A tag as plain text: no markup, no control or direction characters, one line. What a page or a
 * mail does with it later cannot turn it into code.
 */
export function cleanText(value: string, maxLength = TEXT_LENGTH): string {
  let text = value.slice(0, maxLength * 4).normalize('NFC');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/<[a-z/!?][^<>]*>/giu, ' ');
  }
  return [
    ...text
      .replace(/<[a-z/!?].*$/isu, ' ')
      .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, maxLength)
    .join('')
    .trim();
}

function readNumber(value: string | undefined, pattern: RegExp, min: number, max: number) {
  const found = Number(value?.match(pattern)?.[0] ?? Number.NaN);
  return found >= min && found <= max ? found : undefined;
}

/** Names differ by container: `TBPM` in MP3, `tmpo` in M4A, `date` or `TYER` for the year. */
export function cleanTags(raw: ReadonlyMap<string, string>): MediaTags {
  const pick = (...names: string[]) => names.map((name) => raw.get(name)).find(Boolean);
  const texts = {
    title: cleanText(pick('title', 'tit2') ?? ''),
    artist: cleanText(pick('artist', 'album_artist', 'tpe1') ?? ''),
    album: cleanText(pick('album', 'talb') ?? ''),
    genre: cleanText(pick('genre', 'tcon') ?? '', 60),
    comment: cleanText(pick('comment', 'description') ?? '', COMMENT_LENGTH),
  };
  const bpm = readNumber(pick('tbpm', 'bpm', 'tmpo', 'tempo'), /\d+(\.\d+)?/, 20, 400);
  const year = readNumber(pick('date', 'year', 'tyer', 'tdrc'), /\d{4}/, 1900, 2200);
  const tags: MediaTags = {};
  for (const [name, text] of Object.entries(texts) as [keyof typeof texts, string][])
    if (text) tags[name] = text;
  if (bpm !== undefined) tags.bpm = Math.round(bpm);
  if (year !== undefined) tags.year = year;
  return tags;
}

/** The text form that `-f ffmetadata` writes. Keys are lower case; chapters are left out. */
export function parseFfmetadata(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  const [head = ''] = text.split(/^\[CHAPTER\]$/m, 1);
  const entry = /^((?:\\[\s\S]|[^\\=\n[;])+)=((?:\\[\s\S]|[^\\\n])*)$/gm;
  const unescape = (value: string) => value.replace(/\\([\s\S])/g, '$1');
  for (const [, key = '', value = ''] of head.matchAll(entry)) {
    const name = unescape(key).toLowerCase();
    if (!tags.has(name)) tags.set(name, unescape(value));
  }
  return tags;
}
