import type { LetterItem, LetterReach, LetterState } from '#contract/admin/letters.ts';
import type { LetterAudience, LetterPage } from '#contract/letters.ts';
import { formatEstimate } from '#contract/rules/mail-pace.ts';
import { formatCount, formatDayAndTime, formatNumber } from '#web/lib/format/format.ts';

export const AUDIENCES: Record<LetterAudience, { label: string; one: string; many: string }> = {
  everyone: { label: 'Everyone', one: 'member', many: 'members' },
  premium: { label: 'Premium', one: 'Premium member', many: 'Premium members' },
  free: { label: 'Free', one: 'free member', many: 'free members' },
  lapsed: { label: 'Lapsed', one: 'former Premium member', many: 'former Premium members' },
};

export const AUDIENCE_HINTS: Record<LetterAudience, string> = {
  everyone: 'Also administrators and helpers.',
  premium: 'Whoever has Premium now.',
  free: 'Whoever has no Premium now, with or without having had it.',
  lapsed: 'Whoever had Premium and has it no more.',
};

export const PAGES: Record<LetterPage, string> = {
  none: 'Nobody: in mails only',
  members: 'Members',
  everyone: 'Everyone, also in the letters’ feed',
};

export const STATES: Record<LetterState, string> = {
  draft: 'Draft',
  planned: 'Planned',
  sending: 'Sending',
  stopped: 'Stopped',
  sent: 'Sent',
};

/** `1,204 free members` */
export const countMembers = (audience: LetterAudience, members: number): string => {
  const { one, many } = AUDIENCES[audience];
  return formatCount(members, one, many);
};

/** `Send to 1,204 members` */
export const describeSend = (audience: LetterAudience, members: number): string =>
  `Send to ${countMembers(audience, members)}`;

/** `About 3 hours at 300 an hour.`, or nothing if nothing slows them down. */
export function describePace(
  estimateMs: number | null,
  { mailsPerHour }: Pick<LetterReach, 'mailsPerHour'>,
): string {
  if (estimateMs === null) return '';
  const estimate = formatEstimate(estimateMs);
  const pace = mailsPerHour === 0 ? '' : ` at ${formatNumber(mailsPerHour)} an hour`;
  return `${estimate.charAt(0).toUpperCase()}${estimate.slice(1)}${pace}.`;
}

/** `3 came back`, `1 unsubscribed`: whatever there is. */
function describeCounts({ counts }: Pick<LetterItem, 'counts'>): string[] {
  const { returned, failed, leftOut, unsubscribed } = counts;
  return [
    returned > 0 && `${formatNumber(returned)} refused or came back`,
    failed > 0 && `${formatNumber(failed)} uncertain or failed`,
    leftOut > 0 && `${formatNumber(leftOut)} no longer wanted it`,
    unsubscribed > 0 && `${formatNumber(unsubscribed)} unsubscribed`,
  ].filter((text) => text !== false);
}

type Described = Pick<
  LetterItem,
  'state' | 'counts' | 'sendAt' | 'refusal' | 'startedAt' | 'audience'
>;

/** Where a letter is, in one line. */
export function describeLetter(letter: Described, estimateMs: number | null = null): string {
  const { state, counts, sendAt, refusal, startedAt, audience } = letter;
  const done = counts.sent + counts.returned + counts.failed + counts.leftOut;
  const of = `${formatNumber(done)} of ${formatNumber(done + counts.waiting)}`;
  switch (state) {
    case 'draft':
      return refusal === null
        ? `For ${AUDIENCES[audience].many}`
        : `Didn’t go out at its time. ${refusal}`;
    case 'planned':
      return `${formatDayAndTime(sendAt ?? 0)}, to ${AUDIENCES[audience].many}`;
    case 'sending':
      return estimateMs === null ? of : `${of}, ${formatEstimate(estimateMs)} to go`;
    case 'stopped':
      return `Stopped after ${of}`;
    case 'sent':
      return [
        `${formatDayAndTime(startedAt ?? 0)}, to ${countMembers(audience, counts.sent)}`,
        ...describeCounts(letter),
      ].join(' · ');
  }
}
