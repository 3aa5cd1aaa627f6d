import { createHash } from 'node:crypto';

/** A release as a calendar shows it. Without a title it is still to come. */
export type CalendarRelease = {
  trackId: string;
  week: number;
  at: number;
  /** Increases with every edit. */
  version: number;
  changedAt: number;
  title: string | null;
};

type Calendar = { siteName: string; origin: string; releases: readonly CalendarRelease[] };

const MAX_OCTETS = 75;

/** RFC 5545, 3.1: no line is longer than 75 octets, and none is divided inside a character. */
export function foldLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  let size = 0;
  for (const character of line) {
    const octets = Buffer.byteLength(character);
    if (size + octets > MAX_OCTETS) {
      lines.push(current);
      // A continued line begins with a space.
      [current, size] = [' ', 1];
    }
    current += character;
    size += octets;
  }
  return [...lines, current].join('\r\n');
}

/** RFC 5545, 3.3.11. Control characters are not allowed in a text. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');

/** `20261120T040000Z`: in UTC, so that it needs no time zone. */
const formatUtc = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');

/** The same before and after the release, and it doesn't reveal the id of the track. */
const toUid = (trackId: string, host: string): string =>
  `${createHash('sha256').update(`release:${trackId}`).digest('hex').slice(0, 32)}@${host}`;

function buildEvent(release: CalendarRelease, { siteName, origin }: Calendar): string[] {
  const { trackId, week, at, version, changedAt, title } = release;
  const name = title === null ? `${siteName}, new mix` : title;
  const url = title === null ? `${origin}/` : `${origin}/track/${encodeURIComponent(trackId)}`;
  return [
    'BEGIN:VEVENT',
    `UID:${toUid(trackId, new URL(origin).host)}`,
    `DTSTAMP:${formatUtc(changedAt)}`,
    `SEQUENCE:${version}`,
    `DTSTART:${formatUtc(at)}`,
    'DURATION:PT1H',
    `SUMMARY:${escapeText(`Week ${week}: ${name}`)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** The releases as a calendar file, which programs read again every few hours. */
export function buildCalendar(calendar: Calendar): string {
  const name = escapeText(calendar.siteName);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${name}//Releases//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...calendar.releases.flatMap((release) => buildEvent(release, calendar)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}
