import type { Recipients, StagedTrack, Week } from '#contract/admin/week.ts';
import { releaseTimeOf, suggestRelease } from '#contract/admin/release-time.ts';
import { HOUR } from '#contract/rules/time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import { formatPublicHour } from '#web/features/tracks/early-access.tsx';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { boot } from '#web/lib/store/boot.ts';

type Audience = Pick<StagedTrack, 'isSubscriberOnly'>;

/** How many members get an e-mail when it comes out now. */
export function countMails(
  { mails, delivery }: Recipients,
  { isSubscriberOnly }: Audience,
): number {
  if (delivery === 'none') return 0;
  return isSubscriberOnly ? mails.subscribers : mails.all;
}

/** `Publish now and e-mail 1,204 members` */
export function describePublish(
  recipients: Recipients,
  { isSubscriberOnly, isReady }: Audience & { isReady: boolean },
): string {
  const mails = countMails(recipients, { isSubscriberOnly });
  const when = isReady ? 'Publish now' : 'Publish when it’s ready';
  return mails === 0 ? when : `${when} and e-mail ${formatCount(mails, 'member')}`;
}

/** `Schedule for Friday 06:00` */
export const describeSchedule = (at: number, now: number): string =>
  `Schedule for ${formatPublicHour(at, now)}`;

/** What happens after it was published: `1,204 members get an e-mail in the next minutes.` */
export function describePublished(mails: number): string {
  if (mails === 0) return 'It’s on the site now.';
  return mails === 1
    ? '1 member gets an e-mail in the next minutes.'
    : `${formatCount(mails, 'member')} get an e-mail in the next minutes.`;
}

/** When the mix comes out if it is scheduled, and whether that is the release time of its week. */
export function proposeRelease(
  { year, weekNumber: week }: Pick<StagedTrack, 'year' | 'weekNumber'>,
  { releaseDay, releaseHour }: Week['rhythm'],
  now: number,
): { at: number; isOfWeek: boolean } {
  const rhythm = { releaseDay, releaseHour, timeZone: boot.timeZone };
  const slot = { year, week };
  const field = suggestRelease(slot, rhythm, now);
  return {
    at: parseZoned(field, boot.timeZone) ?? now,
    isOfWeek: field === releaseTimeOf(slot, rhythm),
  };
}

/** The state of a mix, in one sentence. */
export function describeState(
  track: Pick<
    StagedTrack,
    'state' | 'progress' | 'failure' | 'stage' | 'publishAt' | 'isSubscriberOnly'
  >,
  { earlyAccessHours }: Pick<Week['rhythm'], 'earlyAccessHours'>,
  now: number,
): string {
  const { state, progress, failure, stage, publishAt, isSubscriberOnly } = track;
  if (state === 'failed') return failure ?? 'Processing failed.';
  const at = publishAt ?? 0;
  const work = state === 'processing' ? `Processing, ${progress}%. ` : '';
  const hour = formatPublicHour(at, now);
  const early = at - earlyAccessHours * HOUR;
  switch (stage) {
    case 'draft':
      return `${work}Draft: only administrators can hear it.`;
    case 'out':
      return work ? `${work}It comes out when it’s ready.` : `Out since ${formatDayAndTime(at)}.`;
    case 'early':
      return isSubscriberOnly
        ? `${work}Premium members hear it already.`
        : `${work}Premium members hear it already, everyone else on ${hour}.`;
    case 'scheduled':
      if (earlyAccessHours === 0) return `${work}Scheduled: out on ${hour}.`;
      return isSubscriberOnly
        ? `${work}Scheduled: out for Premium members on ${formatPublicHour(early, now)}.`
        : `${work}Scheduled: out for Premium members on ${formatPublicHour(early, now)}, for everyone on ${hour}.`;
  }
}
