import { findInFile, type Listenable } from '#web/player/find-in-file.ts';
import { urlOf, type Shared } from './share-sheet.ts';

/** `754`, `754s`; `1h2m3s`, `12m`; `12:34`, `1:02:03`. */
const FORMS = [
  /^(?<seconds>\d{1,5})s?$/,
  /^(?:(?<hours>\d{1,2})h)?(?:(?<minutes>\d{1,4})m)?(?:(?<seconds>\d{1,5})s)?$/,
  /^(?:(?<hours>\d{1,2}):(?=[0-5]\d:))?(?<minutes>\d{1,4}):(?<seconds>[0-5]\d)$/,
];

/** A mix is shorter than a day. */
const MAX_SECONDS = 24 * 60 * 60;

/** The second that a link or a person asks for; null for everything that isn't one. */
export function parseStartSecond(text: string | null): number | null {
  const value = text?.trim().toLowerCase();
  if (!value) return null;
  for (const form of FORMS) {
    const groups = form.exec(value)?.groups;
    if (!groups) continue;
    const { hours = 0, minutes = 0, seconds = 0 } = groups;
    const second = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return second < MAX_SECONDS ? second : null;
  }
  return null;
}

/** WhatsApp asks for the chat, and shows a preview of the link. */
export const buildWhatsAppUrl = (shared: Shared): string =>
  `https://wa.me/?text=${encodeURIComponent(`${shared.name}\n${urlOf(shared)}`)}`;

/** Where a link starts in the user's file. Null if it names no second, or one that isn't in it. */
export const findLinkedStart = (second: number | null, track: Listenable): number | null =>
  second === null || second >= track.duration ? null : findInFile(second, track);
