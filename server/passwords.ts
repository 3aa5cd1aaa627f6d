import { hash, verify } from '@node-rs/argon2';

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's recommendation for argon2id, the library's default algorithm. */
export const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The same character typed on two keyboards can have two encodings. */
const normalise = (password: string) => password.normalize('NFKC');

export const hashPassword = (password: string, cost: PasswordCost = OWASP_COST): Promise<string> =>
  hash(normalise(password), cost);

/** A hash of no known password, which takes as long to check as a real one of this cost. */
export const buildDummyHash = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$f0FgjJ2ml4mIavA6ICN03A$WnnQsAjg/conM4Rk+0JaC6O8oN/1XCK/xpW9g0OiNSs`;

/** Does the same work without a user, so that the time doesn't reveal which accounts exist. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  cost: PasswordCost,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? buildDummyHash(cost), normalise(password));
  return matches && passwordHash !== undefined;
}
