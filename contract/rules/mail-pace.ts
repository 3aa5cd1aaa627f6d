import { formatNumber } from './format.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

/** Password resets, receipts and confirmations have this part of an hour's mails to themselves. */
const RESERVED_SHARE = 0.1;

/** The time from one e-mail to many to the next, so that an hour's mails and the reserve fit into it. */
export function findBulkInterval(mailsPerHour: number): number {
  if (mailsPerHour === 0) return 0;
  const reserve = Math.min(Math.ceil(mailsPerHour * RESERVED_SHARE), mailsPerHour / 2);
  return Math.ceil(HOUR / (mailsPerHour - reserve));
}

const count = (value: number, unit: string): string =>
  `${formatNumber(value, 1)} ${unit}${value === 1 ? '' : 's'}`;

/** `less than a minute`, `about 20 minutes`, `about 3 hours`: rounded, because it is an estimate. */
export function formatEstimate(ms: number): string {
  if (ms < MINUTE) return 'less than a minute';
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 20) return `about ${count(minutes, 'minute')}`;
  if (minutes < 55) return `about ${Math.round(minutes / 5) * 5} minutes`;
  const hours = ms / HOUR;
  if (hours < 2.75) return `about ${count(Math.round(hours * 2) / 2, 'hour')}`;
  if (hours < 36) return `about ${count(Math.round(hours), 'hour')}`;
  return `about ${count(Math.round(ms / DAY), 'day')}`;
}

/** `1,204 members: about 4 hours`, after what waits already. */
export function describePace(mailsPerHour: number, members: number, waiting: number): string {
  const to = `${formatNumber(members)} member${members === 1 ? '' : 's'}`;
  if (mailsPerHour === 0) return `${to}: as fast as the mail server takes them.`;
  const takes = formatEstimate((members + waiting) * findBulkInterval(mailsPerHour));
  const after = waiting === 0 ? '' : `, after ${formatNumber(waiting)} that wait already`;
  return `${to}: ${takes}${after}.`;
}
