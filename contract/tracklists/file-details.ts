import type { TracklistProblem } from '../rules/tracklist.ts';
import { MAX_DETAIL, parseIsrc, parseIswc, type RecordingDetails } from './recording.ts';

/** What a file says about a recording; what it doesn’t say is left out. */
export type FileDetails = Partial<RecordingDetails>;

/** As a file writes it. `remixer` is a name, `version` the name of a mix. */
export type WrittenDetail = Exclude<keyof RecordingDetails, 'isOwn'> | 'isOwn' | 'remixer';
export type WrittenDetails = Partial<Record<WrittenDetail, string | undefined>>;

const YES = /^(?:y|yes|1|x|true|own|ja|oui|sí|si|sim|✓|✔)$/i;
const IS_VERSION = /\b(?:mix|remix|rmx|edit|re-?edit|dub|version|rework|bootleg|vip)\b/i;
const CODES = { isrc: parseIsrc, iswc: parseIswc };

const clean = (text: string | undefined): string =>
  (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** A remixer gives a version its name: `Kasi Voltage Remix`. */
const nameVersion = ({ version, remixer }: WrittenDetails): string => {
  const name = clean(remixer);
  return clean(version) || (name && !IS_VERSION.test(name) ? `${name} Remix` : name);
};

/** What can be kept of what is written about the recording in a line, and what is left out of it. */
export function readDetails(
  line: number,
  written: WrittenDetails,
): { details?: FileDetails; problems: TracklistProblem[] } {
  const problems: TracklistProblem[] = [];
  const details: FileDetails = {};
  const texts = { ...written, version: nameVersion(written) };
  const leaveOut = (message: string) => problems.push({ line, message, isDetail: true });
  for (const name of ['version', 'composer', 'publisher', 'label', 'clearedWith'] as const) {
    const text = clean(texts[name]);
    if (text.length > MAX_DETAIL)
      leaveOut(
        `says more about a recording than ${MAX_DETAIL} characters: “${text.slice(0, 40)}…”`,
      );
    else if (text) details[name] = text;
  }
  for (const [name, parse] of Object.entries(CODES) as [keyof typeof CODES, typeof parseIsrc][]) {
    const text = clean(texts[name]);
    const code = parse(text);
    if (code) details[name] = code;
    else if (text) leaveOut(`has an invalid ${name.toUpperCase()}: ${text.slice(0, 40)}`);
  }
  if (YES.test(clean(written.isOwn))) details.isOwn = true;
  return Object.keys(details).length > 0 ? { details, problems } : { problems };
}
