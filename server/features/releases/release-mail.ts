import { describeData, estimateBytes } from '#contract/rules/data-use.ts';
import { formatHours } from '#contract/rules/format.ts';
import { fillWords } from '#contract/rules/mail-words.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { layOutMail, toParagraphs, type MailSite, type MailTrack } from '../mails/service.ts';
import { findMailPicture, type TrackFacts } from '../tracks/service.ts';

export type MailedTrack = Pick<TrackFacts, 'row' | 'artists' | 'detail'>;

const FIRST_CHAPTERS = 5;
const MAX_WORDS = 400;

/** The first paragraph of the description: what the DJ says about it. */
function findWords(description: string): string | null {
  const [first = ''] = description.trim().split(/\r?\n/, 1);
  if (first.length <= MAX_WORDS) return first === '' ? null : first;
  return `${first.slice(0, MAX_WORDS).replace(/\s+\S*$/u, '')}…`;
}

/** A mix as a mail shows it. */
export function presentMailTrack(track: MailedTrack, { origin, look }: MailSite): MailTrack {
  const { row, artists, detail } = track;
  const { chapters } = detail;
  // One line is better used for the last track than for saying that there is one more.
  const shown = chapters.slice(
    0,
    chapters.length === FIRST_CHAPTERS + 1 ? undefined : FIRST_CHAPTERS,
  );
  const names = artists.map(({ name }) => name).join(', ');
  return {
    title: row.title,
    week: row.week,
    sleeveUrl: `${origin}${findMailPicture(row, look.sleeves)}`,
    meta: [
      `Week ${row.week}, ${row.year}`,
      formatHours(row.duration_ms / 1000),
      ...(names === '' ? [] : [`with ${names}`]),
    ],
    words: findWords(row.description),
    chapters: shown.map(({ at, title, artist }) => ({
      at: at === null ? '' : formatDuration(at),
      title,
      artist: artist ?? '',
    })),
    more: chapters.length - shown.length,
  };
}

/** What listening costs in data: `About 173 MB, R14.70. With data saver 58 MB, R4.90.` */
function describeListening(
  { row, detail: { sizes } }: MailedTrack,
  { dataPrice }: MailSite,
  hasFullAccess: boolean,
): string[] {
  const describe = (bytes: number) => describeData(bytes, dataPrice);
  if (!hasFullAccess) {
    const seconds = Math.min(PREVIEW_SECONDS, row.duration_ms / 1000);
    return [`The preview uses about ${describe(estimateBytes('preview', seconds))}.`];
  }
  const { stream = estimateBytes('stream', row.duration_ms / 1000), dataSaver } = sizes;
  const saved = dataSaver === undefined ? '' : ` With data saver ${describe(dataSaver)}.`;
  return [`About ${describe(stream)}.${saved}`];
}

type Recipient = {
  to: string;
  username: string;
  /** Hears the whole mix, not only its preview. */
  hasFullAccess: boolean;
  unsubscribeUrl: string;
  key?: string;
};

export function writeReleaseMail(
  site: MailSite,
  track: MailedTrack,
  { to, username, hasFullAccess, unsubscribeUrl, key }: Recipient,
): MailMessage {
  const { id, title, week, year, duration_ms } = track.row;
  const values = {
    title,
    week: String(week),
    year: String(year),
    length: formatHours(duration_ms / 1000),
    site: site.siteName,
  };
  const write = (words: string) => toParagraphs(words).map((text) => fillWords(text, values));
  const shown = presentMailTrack(track, site);
  return layOutMail(site, {
    to,
    username,
    subject: `Week ${week}: ${title}`,
    preheader: shown.words ?? shown.meta.join(' · '),
    blocks: [...write(site.words.releaseIntro), { track: shown }],
    button: {
      label: `Play week ${week}`,
      url: `${site.origin}/track/${encodeURIComponent(id)}`,
    },
    after: write(site.words.releaseEnd),
    notes: describeListening(track, site, hasFullAccess),
    unsubscribe: { label: 'Unsubscribe from release e-mails', url: unsubscribeUrl },
    ...(key !== undefined && { key }),
  });
}
