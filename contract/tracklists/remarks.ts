import { BETWEEN } from './lines.ts';
import { isColumnHead } from './table.ts';

const MAX_QUOTED = 40;

export const quote = (text: string): string =>
  `“${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}”`;

const LINK =
  /(?:https?:\/\/|www\.)\S+|(?:^|\s)[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|fm|io|be|ly|me|co|app|link|dj|za)\/\S*/gi;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** What is left of a line without the addresses in it. */
export const removeLinks = (text: string): string => text.replace(LINK, ' ').trim();

/** `#deephouse #friday`, `@relayroom`; a number isn't a tag. */
const TAGS_ONLY = /^(?:[#@](?=[\p{N}_.]*\p{L})[\p{L}\p{N}_.]+(?:[\s,]+|(?=[#@])|$))+$/u;

const LIST_WORDS = [
  'track[ -]?list(?:e|a|ing)?',
  'set[ -]?list',
  'play[ -]?list',
  'titelliste',
  'liste des titres',
  'lista de (?:temas|canciones|músicas|faixas)',
  'трек-?лист',
  'плейлист',
  'сетлист',
  'トラックリスト',
  'セットリスト',
  'プレイリスト',
  '曲目(?:リスト)?',
  '歌单',
  '트랙리스트',
];
const LIST_HEADING = new RegExp(
  `^(?:(?:the|full|my|complete) )?(?:${LIST_WORDS.join('|')})(?=$|[\\s:：|.!([-–—])`,
  'iu',
);
/** `Part one:`, `## Part one`, `== Part one ==`. */
const MARKED_HEADING = /[:：]$|^#{1,6}\s+\D|^[=*~_–—-]{2,}\s*[^=*~_–—-].*[=*~_–—-]{2,}$/;

/** Why nobody wants this line as a track; null if it may be one. The line has no time and no number. */
export function findRemark(text: string): string | null {
  if (!HAS_WORD.test(text)) return 'is only a separator';
  if (TAGS_ONLY.test(text)) return 'has only hashtags';
  const rest = removeLinks(text);
  if (rest !== text && (!BETWEEN.test(rest) || !HAS_WORD.test(rest)))
    return 'is a link, not a track';
  if (isColumnHead(text)) return 'has only the names of columns';
  if (LIST_HEADING.test(text) || MARKED_HEADING.test(text))
    return `looks like a heading: ${quote(text)}`;
  return null;
}
