import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';
import type { UsersTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { hashToken } from '../../http/tokens.ts';
import type { LoginContext } from './sessions.ts';
import { formatRecoveryCode } from './totp-service.ts';

const SECRET = 'demo code';
/** As long as a recovery code, which the login form takes in the same field. */
const LENGTH = 16;

/** Printed at the start: the password of the demo accounts is public, this is not. */
export const readDemoCode = async (db: Db): Promise<string> =>
  formatRecoveryCode((await readSecret(db, SECRET)).toString('hex').slice(0, LENGTH));

/** The next demo on this database gets another one. */
export const deleteDemoCode = (db: Db) =>
  db.deleteFrom('secrets').where('name', '=', SECRET).execute();

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(a)), Buffer.from(hashToken(b)));

type DemoLogin = Pick<LoginContext, 'isLocal' | 'isProxySeen'> & { code: string | undefined };

/**
 * Everyone knows the password, so the account works only for someone at this machine: the request
 * comes directly from it, or has the code from its console. The administrator always needs the code
 * once a proxy was seen, because a request through it can look like a direct one.
 */
export async function checkDemoLogin(
  { database }: Pick<Deps, 'database'>,
  { is_admin }: Pick<UsersTable, 'is_admin'>,
  { isLocal, isProxySeen, code }: DemoLogin,
): Promise<void> {
  if (isLocal && !(is_admin && isProxySeen)) return;
  if (code === undefined) throw new AppError('demo_only_local');
  const expected = await readDemoCode(database.db);
  if (isSame(code, expected.replaceAll('-', ''))) return;
  const message = 'This isn’t the code that the console of the demo shows.';
  throw new AppError('demo_only_local', { message, fields: { code: message } });
}
