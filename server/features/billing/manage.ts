import type { CANCEL_REASONS, Subscription } from '#contract/billing.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Actor } from '../../http/guards.ts';
import { holdAccount } from './account.ts';
import { askProvider } from './ask-provider.ts';
import { convergeMember } from './converge-member.ts';
import { findCurrent } from './present-subscription.ts';
import { findPaidThroughOf, listAgreementsOf, type AgreementRow } from './queries.ts';
import { priceOf } from './quote.ts';
import { readSubscription } from './service.ts';
import { addTerms, amountFor, readTerms } from './terms.ts';

type Status = AgreementRow['status'];

async function requireCurrent(
  { database, payments }: Deps,
  actor: Actor,
  statuses: readonly Status[],
): Promise<AgreementRow> {
  const current = findCurrent(await listAgreementsOf(database.db, actor.user.id));
  if (!current || !statuses.includes(current.status) || current.provider !== payments.name)
    throw new AppError('not_subscribed');
  return current;
}

const byMember = { actor: 'member' };

export async function cancelSubscription(
  deps: Deps,
  actor: Actor,
  { reason, comment }: { reason: (typeof CANCEL_REASONS)[number]; comment?: string | undefined },
): Promise<Subscription> {
  const current = await requireCurrent(deps, actor, ['active', 'late']);
  const detail = JSON.stringify({ reason, ...(comment ? { comment } : {}) });
  await askProvider(deps, async () => {
    await deps.payments.cancelAtPeriodEnd(current.agreement_id);
    const because = `The member cancelled (${reason}). What is paid for stays to its end.`;
    const intent = { kind: 'cancelled' as const, because, detail, ...byMember };
    await convergeMember(deps, actor.user.id, { intent });
  });
  return readSubscription(deps, actor);
}

export async function resumeSubscription(deps: Deps, actor: Actor): Promise<Subscription> {
  const current = await requireCurrent(deps, actor, ['ending']);
  await askProvider(deps, async () => {
    await deps.payments.resume(current.agreement_id);
    const because = 'The member resumed the subscription.';
    const intent = { kind: 'resumed' as const, because, detail: null, ...byMember };
    await convergeMember(deps, actor.user.id, { intent });
  });
  return readSubscription(deps, actor);
}

/** Written down before the provider is asked: what it then charges is what was agreed. */
async function agreeTo(
  { database, clock }: Deps,
  userId: string,
  { current, plan }: { current: AgreementRow; plan: Plan },
): Promise<number> {
  const settings = await readSettings(database.db, clock.now());
  return database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    const row = (await listAgreementsOf(tx, userId)).find(({ id }) => id === current.id);
    const terms = readTerms(row?.terms ?? current.terms);
    // Who goes back to the plan they have keeps its price.
    const kept = plan === current.plan ? amountFor(terms, plan) : null;
    const amount = kept ?? priceOf(settings, plan);
    await tx
      .updateTable('agreements')
      .set({ terms: JSON.stringify(addTerms(terms, [{ plan, amount }])) })
      .where('id', '=', current.id)
      .execute();
    return amount;
  });
}

export async function changePlan(deps: Deps, actor: Actor, plan: Plan): Promise<Subscription> {
  const { database, payments, clock } = deps;
  const { id: userId } = actor.user;
  const current = await requireCurrent(deps, actor, ['active', 'late', 'ending']);
  if ((current.next_plan ?? current.plan) !== plan) {
    const amount = await agreeTo(deps, userId, { current, plan });
    const paidThrough = await findPaidThroughOf(database.db, userId);
    const startsAt = Math.max(paidThrough ?? 0, clock.now());
    await askProvider(deps, async () => {
      const { agreement_id: agreementId } = current;
      const changed = await payments.changePlan({ agreementId, plan, amount, startsAt });
      const because = `The member changed to the ${plan} plan from the next payment on.`;
      const intent = { kind: 'plan-changed' as const, because, detail: null, ...byMember };
      await convergeMember(deps, userId, {
        intent,
        hints: { agreementIds: [changed.agreementId] },
      });
    });
  }
  return readSubscription(deps, actor);
}

export async function readCardPage(deps: Deps, actor: Actor): Promise<{ url: string }> {
  const current = await requireCurrent(deps, actor, ['active', 'late', 'ending']);
  const returnUrl = `${deps.site.origin}/subscription`;
  const url = await askProvider(deps, () =>
    deps.payments.cardUpdateUrl(current.agreement_id, returnUrl),
  );
  return { url };
}
