import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { holdAccount } from './account.ts';
import { askProvider } from './ask-provider.ts';
import { convergeMember } from './converge-member.ts';
import { findCurrent } from './present-subscription.ts';
import { listAgreementsOf, type AgreementRow } from './queries.ts';
import { readSubscription } from './service.ts';

type Status = AgreementRow['status'];

export async function requireCurrent(
  { database, payments }: Deps,
  viewer: Viewer,
  statuses: readonly Status[],
): Promise<AgreementRow> {
  const current = findCurrent(await listAgreementsOf(database.db, viewer.user.id), payments.name);
  if (!current || !statuses.includes(current.status)) throw new AppError('not_subscribed');
  return current;
}

const isRenewing = ({ status }: AgreementRow): boolean => status === 'active' || status === 'late';

const byMember = { actor: 'member' };

export async function cancelSubscription(
  deps: Deps,
  viewer: Viewer,
  { reason, comment }: { reason: (typeof CANCEL_REASONS)[number]; comment?: string | undefined },
): Promise<Subscription> {
  let current: AgreementRow | null = await requireCurrent(deps, viewer, ['active', 'late']);
  const detail = JSON.stringify({ reason, ...(comment ? { comment } : {}) });
  const words = comment ? ` and wrote: “${comment}”` : '';
  const because = `The member cancelled (${reason})${words}. What is paid for stays to its end.`;
  const intent = { kind: 'cancelled' as const, because, detail, ...byMember };
  const { payments, database } = deps;
  const { id: userId } = viewer.user;
  const asked = new Set<string>();
  await askProvider(deps, async () => {
    // A change of plan that stopped half-way may have left another one, which is found only now.
    while (current && isRenewing(current) && !asked.has(current.id)) {
      asked.add(current.id);
      await payments.cancelAtPeriodEnd(current.agreement_id);
      await convergeMember(deps, userId, { intent });
      current = findCurrent(await listAgreementsOf(database.db, userId), payments.name);
    }
  });
  return readSubscription(deps, viewer);
}

/** Whoever resumes it wants it to live: it is replaced by nothing any more. */
const keepCurrent = ({ database }: Deps, userId: string, { id }: AgreementRow): Promise<void> =>
  database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    const change = { changing_to: null, replaced_by: null };
    await tx.updateTable('agreements').set(change).where('id', '=', id).execute();
  });

export async function resumeSubscription(deps: Deps, viewer: Viewer): Promise<Subscription> {
  const current = await requireCurrent(deps, viewer, ['ending']);
  await keepCurrent(deps, viewer.user.id, current);
  await askProvider(deps, async () => {
    await deps.payments.resume(current.agreement_id);
    const because = 'The member resumed the subscription.';
    const intent = { kind: 'resumed' as const, because, detail: null, ...byMember };
    await convergeMember(deps, viewer.user.id, { intent });
  });
  return readSubscription(deps, viewer);
}

export async function readCardPage(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const current = await requireCurrent(deps, viewer, ['active', 'late', 'ending']);
  const returnUrl = `${deps.site.origin}/subscription`;
  const url = await askProvider(deps, () =>
    deps.payments.cardUpdateUrl(current.agreement_id, returnUrl),
  );
  return { url };
}
