import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';

/** What a mail server answered, over SMTP or in a report about a mail that came back. */
export type MailAnswer = {
  /** As in `550`; null if the report only has a status. */
  code: number | null;
  /** As in `5.1.1` (RFC 3463). */
  status: string | null;
  text: string;
};

export type MailProblem =
  /** No more mails for now, whoever they are for. */
  | { kind: 'over-limit'; retryAfterMs: number | null }
  /** The server can't be reached, doesn't answer or doesn't let us in. */
  | { kind: 'unavailable' }
  /** Nothing will ever arrive at this address. */
  | { kind: 'address-refused'; reason: string }
  /** About this mail: refused for what it says, or not possible right now. */
  | { kind: 'mail' };

export function parseAnswer(text: string): MailAnswer {
  const [, code, status] = /^\s*(?:smtp;\s*)?([2-5]\d\d)?[\s-]*([245]\.\d{1,3}\.\d{1,3})?/i.exec(
    text,
  ) ?? ['', undefined, undefined];
  return { code: code ? Number(code) : null, status: status ?? null, text };
}

/** A mailbox that is full or gets too much has a limit of its own, which ends. */
const isMailboxLimit = ({ status, text }: MailAnswer): boolean =>
  /^[45]\.2\.2$/.test(status ?? '') ||
  (/^[45]\.2\./.test(status ?? '') && isLimit(text)) ||
  (/\b(?:mailbox|inbox|user|account|recipient)\b.{0,40}\b(?:full|quota)|\bstorage\b/i.test(text) &&
    !/\bsen[dt]/i.test(text));

const LIMIT_WORDS = [
  /\brate.?limit|\bratelimit|\bthrottl/i,
  /\btoo (?:many|much) (?:e?-?mails?|messages?|mails?|recipients|connections|sessions)/i,
  /\b(?:sending|message|mail|hourly|daily|hour|recipients?|send|submission|relay)\b.{0,30}\b(?:limit|quota|rate)\b/i,
  /\b(?:limit|quota|rate|maximum|max)\b.{0,40}\b(?:exceed|reached|hit|over)/i,
  /\bexceed(?:ed|s|ing)?\b.{0,40}\b(?:limit|quota|rate|maximum|max|allow)/i,
  /\b(?:per|an|this|each) hour\b/i,
  /\bslow(?:ing)? down\b/i,
  /\bat a rate\b/i,
];

const isLimit = (text: string): boolean => LIMIT_WORDS.some((words) => words.test(text));

const isOverLimit = (answer: MailAnswer): boolean =>
  !isMailboxLimit(answer) && isLimit(answer.text);

const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;

/** `Try again in 5 minutes`, `retry after 300`, `come back in 00:04:59`. */
export function parseWait(text: string): number | null {
  const clock =
    /\b(?:in|after|for)\s+(\d{1,2}):(\d{2}):(\d{2})\b/i.exec(text) ??
    /\b(?:in|after|for)\s+()(\d{1,2}):(\d{2})\b/i.exec(text);
  if (clock) return Number(clock[1]) * HOUR + Number(clock[2]) * MINUTE + Number(clock[3]) * SECOND;
  const found =
    /\b(?:again|back|retry|wait|delay(?:ed)?|later|resume)\b\D{0,40}?(\d{1,6})\s*(s|m(?!s)|h|d)?/i.exec(
      text,
    );
  if (!found) return null;
  const unit = (found[2]?.toLowerCase() ?? 's') as keyof typeof UNITS;
  return Number(found[1]) * UNITS[unit];
}

/** A refusal for how, what or from where we send: the same server would take something else. */
const POLICY_WORDS =
  /\brelay|\bauthenticat|\bspam|\bblock|\bblack.?list|\bdeny.?list|\bpolicy|\breputation|\bspf\b|\bdkim\b|\bdmarc\b|\bsender\b|\bcontent\b|\bprohibited|\bsuspicious|\bvirus|\bgr[ae]y.?list/i;
const UNKNOWN_WORDS =
  /\b(?:user|mailbox|recipient|address|account|alias|domain|host)\b.{0,60}\b(?:unknown|not (?:found|exist|valid|known|recogni[sz]ed|available)|does(?:n.?t| not) exist|invalid|disabled|inactive|suspended|unavailable|rejected|no longer)|\b(?:no such|unknown|invalid|unrouteable|unroutable|bad|nonexistent|non-existent|inactive) (?:user|mailbox|recipient|address|account|domain|destination|person)|doesn.?t have an? .{0,20}account|no mailbox|null mx/i;

/** Bad mailbox, system or syntax; moved; null MX; disabled; no route to its host. */
const REFUSED_STATUS = /^5\.(?:1\.(?:0|1|2|3|4|6|10)|2\.1|4\.4)$/;

/** Whether it is the address that will never work, and not the mail, its sender or a limit. */
export function isAddressRefused(answer: MailAnswer, isAboutRecipient: boolean): boolean {
  const { code, status, text } = answer;
  const isPermanent = status === null ? (code ?? 0) >= 500 : status.startsWith('5.');
  if (!isPermanent || isOverLimit(answer) || isMailboxLimit(answer)) return false;
  if (status !== null && REFUSED_STATUS.test(status)) return !/\bsender\b/i.test(text);
  if (status?.startsWith('5.7.') || POLICY_WORDS.test(text)) return false;
  if (UNKNOWN_WORDS.test(text) || code === 556) return true;
  // Without a status, these codes are about the mailbox (RFC 5321, 4.2.3).
  return isAboutRecipient && status === null && [550, 551, 553].includes(code ?? 0);
}

/** One line, for people. */
export const toReason = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);

const readString = (error: object, name: string): string => {
  const value: unknown = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

/** What an error of `Mail.send` is about. */
export function findMailProblem(error: unknown): MailProblem {
  if (typeof error !== 'object' || error === null) return { kind: 'mail' };
  const [response, command] = [readString(error, 'response'), readString(error, 'command')];
  if (response === '') {
    const isOutside = command === 'CONN' || readString(error, 'name') === 'TooSlow';
    return { kind: isOutside ? 'unavailable' : 'mail' };
  }
  const answer = parseAnswer(response);
  if (isOverLimit(answer)) return { kind: 'over-limit', retryAfterMs: parseWait(response) };
  const isAboutRecipient = command === 'RCPT TO';
  const isAboutMail = isAboutRecipient || command === 'DATA';
  if (isAboutMail && isAddressRefused(answer, isAboutRecipient))
    return { kind: 'address-refused', reason: toReason(response) };
  return { kind: isAboutMail && answer.code !== 421 ? 'mail' : 'unavailable' };
}
