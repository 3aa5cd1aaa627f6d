import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../../../db/connect.ts';
import { readSecret } from '../../../db/secrets.ts';
import type { UsersTable } from '../../../db/types/tables.ts';
import { DEMO_ACCOUNT_IDS } from '../../../demo-accounts.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { endSessions } from '../../sessions/service.ts';
import type { LoginContext } from './login-context.ts';
import { formatRecoveryCode } from './totp-service.ts';

const SECRET = 'demo code';
const PROXY_SEEN = 'demo-proxy-seen';
/** As long as a recovery code, which the login form takes in the same field. */
const LENGTH = 16;

/** Printed at the start: the password of the demo accounts is public, this is not. */
export const readDemoCode = async (db: Db): Promise<string> =>
  formatRecoveryCode((await readSecret(db, SECRET)).toString('hex').slice(0, LENGTH));

/** In the database, because other servers and later starts must know it too. */
async function isProxySeen(db: Db): Promise<boolean> {
  const query = db.selectFrom('counters').select('name').where('name', '=', PROXY_SEEN);
  return (await query.executeTakeFirst()) !== undefined;
}

/** A proxy is in front of the demo: whoever logged in as its administrator until now may be anyone. */
export async function recordProxy(deps: Deps): Promise<void> {
  const { database, clock, log } = deps;
  await database.db.transaction().execute(async (tx) => {
    const isFirst = await tx
      .insertInto('counters')
      .values({ name: PROXY_SEEN, value: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst();
    if (!isFirst) return;
    log.warn(
      'Someone visits this demo through a proxy. Its administrator now needs the code that the start printed.',
    );
    const administrators = await tx
      .selectFrom('users')
      .select('id')
      .where('id', 'in', DEMO_ACCOUNT_IDS)
      .where('is_admin', '=', 1)
      .execute();
    for (const { id } of administrators) await endSessions(tx, deps, id, 'account disabled');
  });
}

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(a)), Buffer.from(hashToken(b)));

type DemoLogin = Pick<LoginContext, 'isLocal'> & { code: string | undefined };

/**
 * Everyone knows the password, so the account works only for someone at this machine: the request
 * comes directly from it, or has the code from its console. The administrator always needs the code
 * once a proxy was seen, because a request through it can look like a direct one.
 */
export async function checkDemoLogin(
  { database }: Pick<Deps, 'database'>,
  { is_admin }: Pick<UsersTable, 'is_admin'>,
  { isLocal, code }: DemoLogin,
): Promise<void> {
  if (isLocal && !(is_admin && (await isProxySeen(database.db)))) return;
  if (code === undefined) throw new AppError('demo_only_local');
  const expected = await readDemoCode(database.db);
  if (isSame(code, expected.replaceAll('-', ''))) return;
  const message = 'This isn’t the code that the console of the demo shows.';
  throw new AppError('demo_only_local', { message, fields: { code: message } });
}
