import type { JobItem } from '#contract/admin/jobs.ts';
import { describeJob } from '#contract/admin/job-names.ts';

const MESSAGES: Record<string, string> = {
  welcome: 'welcome',
  receipt: 'receipt',
  reminder: 'renewal reminder',
  failed: 'failed payment',
  'grace-ending': 'last reminder before access ends',
  cancelled: 'cancelled subscription',
  duplicate: 'payment made twice',
  refused: 'refused payment',
  'password-changed': 'password changed',
  'password-reset': 'password reset',
  'email-undone': 'change of address undone',
  'email-change-cancelled': 'change of address cancelled',
  'totp-on': 'two-factor login turned on',
  'totp-off': 'two-factor login turned off',
  'recovery-codes': 'new recovery codes',
  deleted: 'account deleted',
};

export type NamedPart = { text: string; href?: string };

/** What a job works on: “Night Bus”, for thandi. */
export function listSubjects({ about }: Pick<JobItem, 'about'>): NamedPart[] {
  const { track, user, fileName, letter, message } = about;
  return [
    ...(track ? [{ text: `“${track.title}”`, href: `/admin/tracks/edit/${track.id}` }] : []),
    ...(fileName ? [{ text: fileName, href: '/admin/upload' }] : []),
    ...(letter ? [{ text: `“${letter.subject}”`, href: `/admin/letters/${letter.id}` }] : []),
    ...(message ? [{ text: MESSAGES[message] ?? message.replaceAll('-', ' ') }] : []),
    ...(user
      ? [
          user.name === null
            ? { text: 'for a deleted account' }
            : { text: `for ${user.name}`, href: `/admin/subscribers/${user.id}` },
        ]
      : []),
  ];
}

/** In one line, for buttons and messages: `Process audio, “Night Bus”`. */
export function formatJob(job: Pick<JobItem, 'name' | 'about'>): string {
  const { name } = describeJob(job.name);
  const { track, letter, fileName } = job.about;
  const title = track?.title ?? letter?.subject;
  const work = title === undefined ? fileName : `“${title}”`;
  return work ? `${name}, ${work}` : name;
}

/** Errors of other programs that mean something to an operator. */
const KNOWN: [RegExp, string][] = [
  [/ECONNREFUSED/, 'The other server refused the connection. It may be down.'],
  [/ENOTFOUND|EAI_AGAIN/, 'The other server’s address couldn’t be found.'],
  [/ETIMEDOUT|ESOCKETTIMEDOUT|timed? ?out|AbortError/i, 'The other server didn’t answer in time.'],
  [/ECONNRESET|EPIPE|socket hang up|other side closed/i, 'The other server ended the connection.'],
  [/ENOSPC/, 'The disk is full.'],
  [/ENOENT|NoSuchKey/, 'A file that it needs is missing.'],
  [/EACCES|EPERM/, 'The server isn’t allowed to read or write a file that it needs.'],
  [/\bEAUTH\b|\b535[ -]/, 'The mail server rejected the user name or password.'],
  [/\b55[0-4][ -]/, 'The mail server rejected the recipient or the message.'],
  [/CERT_|certificate/i, 'The other server’s certificate isn’t valid.'],
  [/fetch failed/i, 'The other server couldn’t be reached.'],
  [/\blease\b/i, 'The server stopped while the job was running.'],
];

/** Our ids and those of providers mean nothing to people. */
const IDS =
  /\b(?=\w*\d)[a-z0-9]{20,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[a-z]{2,8}_(?=\w*\d)\w{8,}\b/gi;

export type JobError = {
  words: string;
  /** The original text, if `words` replaces it. */
  original: string | null;
};

export function describeJobError(error: string): JobError {
  const known = KNOWN.find(([pattern]) => pattern.test(error));
  const text = error.replaceAll(IDS, '…');
  return known ? { words: known[1], original: text } : { words: text, original: null };
}
