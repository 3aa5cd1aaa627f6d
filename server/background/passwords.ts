import { createQueue } from './limited-queue.ts';

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's recommendation for argon2id, the library's default algorithm. */
export const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing takes all of a core for some milliseconds, on the threads that also read audio files. At
 * most this many run at the same time, so that a rush of logins never makes music stop.
 */
const MAX_RUNNING = 2;
/**
 * About two seconds of work. Anyone beyond that is better told to try again. Those of known users have
 * a line of their own that goes first, so that strangers never keep them out.
 */
const MAX_WAITING = 60;

const enqueue = createQueue({
  maxRunning: MAX_RUNNING,
  maxWaiting: MAX_WAITING,
  refusal: 'Too many people are logging in right now. Try again in a moment.',
});

/** Loaded when someone logs in: a server that nobody logs in to doesn't hold its 3 MB. */
const loadArgon2 = () => import('@node-rs/argon2');

/** The same character typed on two keyboards can have two encodings. */
const normalise = (password: string) => password.normalize('NFKC');

export const hashPassword = (password: string, cost: PasswordCost = OWASP_COST): Promise<string> =>
  enqueue(async () => (await loadArgon2()).hash(normalise(password), cost));

/** How every hash of this cost begins. */
const buildPrefix = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

const DUMMY = 'f0FgjJ2ml4mIavA6ICN03A$WnnQsAjg/conM4Rk+0JaC6O8oN/1XCK/xpW9g0OiNSs';

/** A hash of no known password, which takes as long to check as a real one of this cost. */
export const buildDummyHash = (cost: PasswordCost): string => buildPrefix(cost) + DUMMY;

/** The account has such a hash: nobody can log in with a password until a link sets one. */
export const hasNoPassword = (passwordHash: string): boolean => passwordHash.endsWith(DUMMY);

/** Made with another cost than new ones: the next login replaces it. */
export const isOutdatedHash = (passwordHash: string, cost: PasswordCost): boolean =>
  !passwordHash.startsWith(buildPrefix(cost));

/**
 * Does the same work without a user, so that the time doesn't reveal which accounts exist. `isKnown`
 * if the user is logged in, or has been on this device.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  cost: PasswordCost,
  { isKnown = false } = {},
): Promise<boolean> {
  const expected = passwordHash ?? buildDummyHash(cost);
  const check = async () => (await loadArgon2()).verify(expected, normalise(password));
  const matches = await enqueue(check, { isFirst: isKnown });
  return matches && passwordHash !== undefined;
}
