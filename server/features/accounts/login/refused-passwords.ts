import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { defineRateLimit } from '../../../http/route/rate-limit.ts';
import { verifyPassword } from '../../../background/passwords.ts';
import { findUserById } from '../queries.ts';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../../http/route/app-error.ts';

/** Common passwords, the words they are made of and runs on the keyboard, in lower case. */
const FILE = new URL('common-passwords.txt', import.meta.url);
let listed: Promise<ReadonlySet<string>> | null = null;

/** Loaded on first use: servers start far more often than someone chooses a password. */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  listed ??= readFile(FILE, 'utf8').then((text) => new Set(text.trim().split(/\s+/)));
  return listed;
}

/** Words that an attacker tries first at this site, for this user. */
export type OwnWords = { siteName: string; username?: string; email?: string };

/** Digits and symbols that people write instead of letters; a 1 is an i or an l. */
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};
const toLetters = (text: string, one: 'i' | 'l'): string =>
  text.replace(/[@43!05$71]/g, (sign) => (sign === '1' ? one : (LOOKALIKES[sign] ?? sign)));

/** What people add to a word when a form requires a digit or a symbol. */
const MAX_ADDED = 6;

/** Ways to read a password: as it is, without what is around it, and with lookalikes as letters. */
function listReadings(password: string): string[] {
  const plain = password.normalize('NFKC').toLowerCase();
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const texts = plain.length - core.length <= MAX_ADDED ? [plain, core] : [plain];
  return texts.flatMap((text) => [text, toLetters(text, 'i'), toLetters(text, 'l')]);
}

const keepLetters = (text: string): string => text.replace(/[^\p{L}]/gu, '');
const dropSymbols = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

function isListed(reading: string, common: ReadonlySet<string>): boolean {
  if (common.has(reading) || common.has(dropSymbols(reading))) return true;
  const letters = keepLetters(reading);
  return reading.length - letters.length <= MAX_ADDED && common.has(letters);
}

/** `abcabcabc`, `12121212`, or a listed word twice. */
function isRepeated(reading: string, common: ReadonlySet<string>): boolean {
  const [, part = ''] = /^(.+?)\1+$/u.exec(reading) ?? [];
  return part !== '' && (part.length <= 4 || isListed(part, common));
}

/** `cdefghij` or `98765432`. */
function isSequence(reading: string): boolean {
  const codes = Array.from(reading, (character) => character.codePointAt(0) ?? 0);
  return [1, -1].some((step) =>
    codes.every((code, index) => index === 0 || code - (codes[index - 1] ?? 0) === step),
  );
}

/** A birthday, with the year first or last. */
const isDate = (reading: string): boolean =>
  /^(?:[0-3]?\d[-./ ]?[0-3]?\d[-./ ]?(?:19|20)\d\d|(?:19|20)\d\d[-./ ]?[0-3]?\d[-./ ]?[0-3]?\d)$/.test(
    reading,
  );

function listOwnWords({ siteName, username = '', email = '' }: OwnWords): string[] {
  const [local = '', domain = ''] = email.split('@');
  const parts = [siteName, ...siteName.split(/\s+/), username, ...username.split(/[._-]/), local];
  const words = [...parts, ...local.split(/[._+-]/), ...domain.split('.').slice(0, -1)]
    .map((word) => keepLetters(word.normalize('NFKC').toLowerCase()))
    .filter((word) => word.length >= 3);
  return [...new Set(words)].toSorted((a, b) => b.length - a.length);
}

/** Own words with little besides them: `thandi2026!`, or with a listed word. */
function isMostlyOwn(
  reading: string,
  own: readonly string[],
  common: ReadonlySet<string>,
): boolean {
  const letters = keepLetters(reading);
  const rest = own.reduce((text, word) => text.replaceAll(word, ''), letters);
  return rest !== letters && (rest.length < 4 || common.has(rest));
}

const COMMON = 'This is one of the most common passwords. Choose another.';
const GUESSABLE = 'This is easy to guess. Choose another, such as four random words.';
const OWN = 'This is mostly your name, your address or ours. Choose another.';

/** A sentence about what is wrong with a new password; null if nothing is. */
export async function findPasswordProblem(password: string, own: OwnWords): Promise<string | null> {
  const common = await loadCommonPasswords();
  const words = listOwnWords(own);
  const readings = listReadings(password);
  if (readings.some((reading) => isMostlyOwn(reading, words, common))) return OWN;
  if (readings.some((reading) => isListed(reading, common))) return COMMON;
  const isEasy = readings.some(
    (reading) => isRepeated(reading, common) || isSequence(reading) || isDate(reading),
  );
  return isEasy ? GUESSABLE : null;
}

export async function refuseEasyPassword(
  password: string,
  own: OwnWords,
  field: 'password' | 'newPassword' = 'password',
) {
  const problem = await findPasswordProblem(password, own);
  if (problem) throw new AppError('validation_failed', { fields: { [field]: problem } });
}

/** Stops someone who finds a logged-in device from guessing the password, and no other device. */
const passwordChecksByUser = defineRateLimit({
  name: 'password-check-user',
  what: 'Wrong passwords on one logged-in device',
  limit: 10,
  periodMs: 15 * MINUTE,
});

/** Only wrong passwords count. */
export const limitPasswordChecks = ({ viewer }: { viewer: Viewer }) => [
  {
    rule: passwordChecksByUser,
    subject: `${viewer.user.id} ${viewer.sessionHash ?? ''}`,
    isReleasedOnSuccess: true,
  },
];

/** Returns the hash that the password matched, so that a transaction can check it is still current. */
export async function verifyCurrentPassword(
  { database, passwordCost }: Deps,
  viewer: Viewer,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const user = await findUserById(database.db, viewer.user.id);
  const isRight = await verifyPassword(user?.password_hash, password, passwordCost, {
    isKnown: true,
  });
  if (user && isRight) return user.password_hash;
  const { message } = new AppError('wrong_password');
  throw new AppError('wrong_password', { fields: { [field]: message } });
}
