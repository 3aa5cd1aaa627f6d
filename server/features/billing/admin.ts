import type { AccessReport } from '#contract/billing-admin.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { recordAct } from '../audit/service.ts';
import { explainAccess } from './explain-access.ts';
import { endAccess, grantUntil } from './grants.ts';
import { listLedger } from './queries.ts';

async function requireMember({ database }: Deps, userId: string) {
  const user = await database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) throw new AppError('not_found');
}

export async function reportAccess(
  deps: Deps,
  userId: string,
  at: number = deps.clock.now(),
): Promise<AccessReport> {
  await requireMember(deps, userId);
  return explainAccess(await listLedger(deps.database.db, userId), {
    at,
    graceMs: await readGraceMs(deps),
    calendar: deps.payments.calendar,
    timeZone: deps.config.timeZone,
  });
}

type AccessChange =
  | { do: 'grant'; until: number; because: string }
  | { do: 'end'; because: string };

export async function changeAccess(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  change: AccessChange,
): Promise<AccessReport> {
  await requireMember(deps, userId);
  const { timeZone } = deps.config;
  const place = { now: deps.clock.now(), calendar: deps.payments.calendar, timeZone };
  const { because } = change;
  const by = viewer.user.id;
  await deps.database.db.transaction().execute(async (tx) => {
    if (change.do === 'end') await endAccess(tx, userId, { because, actor: by }, place);
    else await grantUntil(tx, userId, { until: change.until, because, actor: by }, place);
    const act = change.do === 'end' ? 'access.ended' : 'access.given';
    const after = change.do === 'end' ? {} : { until: new Date(change.until).toISOString() };
    const subject = { kind: 'user' as const, id: userId };
    await recordAct(tx, { actor: viewer, act, subject, after, because }, place.now);
  });
  deps.jobs.wake();
  return reportAccess(deps, userId);
}
