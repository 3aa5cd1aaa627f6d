import type { ChangeQuote, Subscription } from '#contract/billing.ts';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { holdAccount } from './account.ts';
import { askProvider } from './ask-provider.ts';
import { convergeMember } from './converge-member.ts';
import { requireCurrent } from './manage.ts';
import { findPaidThroughOf, listAgreementsOf, type AgreementRow } from './queries.ts';
import { priceOf } from './quote.ts';
import { readSubscription } from './service.ts';
import { addTerms, amountFor, readTerms } from './terms.ts';
import { unwind } from './unwind.ts';

type Offer = { amount: number; startsAt: number };

/** What the first payment after a change is, and when: the next one that would be made anyway. */
async function offerChange(
  { database, clock }: Deps,
  userId: string,
  { current, plan }: { current: AgreementRow; plan: Plan },
): Promise<Offer> {
  const now = clock.now();
  const settings = await readSettings(database.db, now);
  const paidThrough = await findPaidThroughOf(database.db, userId);
  // Who goes back to the plan they have keeps its price.
  const kept = plan === current.plan ? amountFor(readTerms(current.terms), plan) : null;
  const next = current.status === 'ending' ? null : current.next_charge_at;
  return {
    amount: kept ?? priceOf(settings, plan),
    startsAt: Math.max(next ?? paidThrough ?? 0, now),
  };
}

const statuses = ['active', 'late', 'ending'] as const;

/** Before anything is changed: what it will cost, and when. */
export async function quoteChange(deps: Deps, viewer: Viewer, plan: Plan): Promise<ChangeQuote> {
  const current = await requireCurrent(deps, viewer, statuses);
  const { amount, startsAt: at } = await offerChange(deps, viewer.user.id, { current, plan });
  return { plan, currency: CURRENCY, amount, at };
}

/** Written down before the provider is asked: what it then charges is what was agreed. */
const agreeTo = (
  { database }: Deps,
  userId: string,
  { current, plan, amount }: { current: AgreementRow; plan: Plan; amount: number },
): Promise<void> =>
  database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    const row = (await listAgreementsOf(tx, userId)).find(({ id }) => id === current.id);
    const terms = addTerms(readTerms(row?.terms ?? current.terms), [{ plan, amount }]);
    await tx
      .updateTable('agreements')
      .set({ terms: JSON.stringify(terms), changing_to: plan, replaced_by: null })
      .where('id', '=', current.id)
      .execute();
  });

/**
 * A provider that answers with another agreement has replaced the one there was. That it is this
 * member's is known from here on, whatever the provider says of its customers.
 */
async function keepReplacement(
  { database }: Deps,
  userId: string,
  { id, provider, agreement_id }: AgreementRow,
  replacedBy: string,
) {
  if (replacedBy === agreement_id) return;
  await database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    await tx
      .updateTable('agreements')
      .set({ changing_to: null, replaced_by: replacedBy })
      .where('id', '=', id)
      .execute();
    await tx
      .updateTable('agreements')
      .set({ replaced_by: null })
      .where('id', '=', `${provider}:${replacedBy}`)
      .execute();
  });
}

const byMember = { actor: 'member' };

/** An earlier change may have stopped before the old agreement was cancelled. */
const finishEarlier = (deps: Deps, userId: string) =>
  askProvider(deps, async () => {
    if (await unwind(deps, userId)) await convergeMember(deps, userId);
  });

export async function changePlan(deps: Deps, viewer: Viewer, plan: Plan): Promise<Subscription> {
  const { id: userId } = viewer.user;
  await finishEarlier(deps, userId);
  const current = await requireCurrent(deps, viewer, statuses);
  if ((current.next_plan ?? current.plan) !== plan) {
    const { amount, startsAt } = await offerChange(deps, userId, { current, plan });
    await agreeTo(deps, userId, { current, plan, amount });
    await askProvider(deps, async () => {
      const { agreement_id: agreementId } = current;
      const changed = await deps.payments.changePlan({ agreementId, plan, amount, startsAt });
      await keepReplacement(deps, userId, current, changed.agreementId);
      const because = `The member changed to the ${plan} plan from the next payment on.`;
      const intent = { kind: 'plan-changed' as const, because, detail: null, ...byMember };
      const hints = { agreementIds: [changed.agreementId] };
      await convergeMember(deps, userId, { intent, hints });
    });
  }
  return readSubscription(deps, viewer);
}
