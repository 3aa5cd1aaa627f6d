import { z } from 'zod';
import { line } from '../rules/text-fields.ts';

export const MAX_DETAIL = 200;

const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/;
const ISWC = /^T\d{10}$/;

const compact = (text: string, prefix: string): string => {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s.:‐-―-]/g, '');
  return code.startsWith(prefix) ? code.slice(prefix.length) : code;
};

/** `ZA-UM7-19-00001` as `ZAUM71900001`; null if it isn't an ISRC. */
export function parseIsrc(text: string): string | null {
  const code = compact(text, 'ISRC');
  return ISRC.test(code) ? code : null;
}

/** `T-034.524.680-1` as `T0345246801`; null if it isn't an ISWC, whose last digit checks the others. */
export function parseIswc(text: string): string | null {
  const code = compact(text, 'ISWC');
  if (!ISWC.test(code)) return null;
  const weigh = (index: number) => Number(code[index]) * (index === 10 ? 1 : index);
  let sum = 1;
  for (let index = 1; index <= 10; index += 1) sum += weigh(index);
  return sum % 10 === 0 ? code : null;
}

const Text = line(MAX_DETAIL).nullable();
const codeOf = (parse: (text: string) => string | null, message: string) =>
  z
    .string()
    .max(60, message)
    .overwrite((text) => parse(text) ?? text.trim())
    .refine((text) => text === '' || parse(text) !== null, message)
    .nullable();

/** What a report says about a recording besides its artist and title. Null is what nobody has entered. */
export const RecordingDetails = z.strictObject({
  /** The version or remix. */
  version: Text,
  composer: Text,
  publisher: Text,
  label: Text,
  isrc: codeOf(
    parseIsrc,
    'An ISRC has two letters, three letters or digits, and seven digits: ZAUM71900001.',
  ),
  iswc: codeOf(parseIswc, 'An ISWC has a T and ten digits, the last a check digit: T0345246801.'),
  /** The DJ’s own production. */
  isOwn: z.boolean(),
  /** With whom its use was cleared: a note. */
  clearedWith: Text,
});
export type RecordingDetails = z.output<typeof RecordingDetails>;

export const NO_DETAILS: RecordingDetails = {
  version: null,
  composer: null,
  publisher: null,
  label: null,
  isrc: null,
  iswc: null,
  isOwn: false,
  clearedWith: null,
};

/** What a report would miss, in the order of its columns. */
export const GAPS = ['time', 'artist', 'composer', 'publisher', 'label', 'isrc'] as const;
export type Gap = (typeof GAPS)[number];

type Entry = { at: number | null; artist: string | null; details: RecordingDetails };

/** An own production may have no label, no publisher and no ISRC. */
const NEEDED_OF_OWN: readonly Gap[] = ['time', 'artist', 'composer'];

export function findGaps({ at, artist, details }: Entry): Gap[] {
  const values = { ...details, time: at, artist };
  const needed = details.isOwn ? NEEDED_OF_OWN : GAPS;
  return needed.filter((gap) => values[gap] === null);
}
