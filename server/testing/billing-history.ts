import fc from 'fast-check';
import type { Plan } from '#contract/rules/plans.ts';
import { settleCheckout, startCheckout } from '../features/billing/checkout.ts';
import { changePlan } from '../features/billing/change-plan.ts';
import { forgetBilling } from '../features/billing/privacy.ts';
import { cancelSubscription, resumeSubscription } from '../features/billing/manage.ts';
import { AppError } from '../http/app-error.ts';
import type { Actor } from '../http/guards.ts';
import { newId } from '../ids.ts';
import type { CardName } from '../ports/payments/sandbox/cards.ts';
import type { SignedWebhook } from '../ports/payments/sandbox/sandbox.ts';
import { Killed, killAt, killAtCall } from './kill-process.ts';
import { payModel } from './paid-model.ts';
import { deliver, reconcile } from './test-payments.ts';
import type { TestApp } from './test-app.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export type HistoryStep = {
  do:
    | 'buy'
    | 'pass'
    | 'cancel'
    | 'resume'
    | 'change'
    | 'card'
    | 'refund'
    | 'dispute'
    | 'win'
    | 'hear'
    | 'work'
    | 'return';
  plan: Plan;
  card: CardName;
  pick: number;
  days: number;
  /** The process dies at this transaction or call of the provider, if the step has so many. */
  dies: { at: 'transaction' | 'call'; count: number; isAfter: boolean } | null;
};

export const anyStep: fc.Arbitrary<HistoryStep> = fc.record({
  do: fc.constantFrom(
    'buy',
    'buy',
    'pass',
    'pass',
    'pass',
    'cancel',
    'resume',
    'change',
    'card',
    'refund',
    'dispute',
    'win',
    'hear',
    'hear',
    'work',
    'work',
    'return',
  ),
  plan: fc.constantFrom('monthly', 'annual'),
  card: fc.constantFrom(
    'success',
    'success',
    'pays-once',
    'renews-then-fails',
    'insufficient-funds',
  ),
  pick: fc.nat(50),
  days: fc.integer({ min: 1, max: 40 }),
  dies: fc.option(
    fc.record({
      at: fc.constantFrom('transaction' as const, 'call' as const),
      count: fc.integer({ min: 1, max: 4 }),
      isAfter: fc.boolean(),
    }),
    { freq: 2 },
  ),
});

export async function createActor(test: TestApp): Promise<Actor> {
  const now = test.clock.now();
  const id = newId(now);
  const user = {
    id,
    username: id,
    username_key: id,
    email: `${id}@example.com`,
    email_key: `${id}@example.com`,
    is_admin: 0 as const,
    is_demo: 0 as const,
    paid_through: null,
    avatar_key: null,
    created_at: now,
    updated_at: now,
  };
  await test.deps.database.db
    .insertInto('users')
    .values({ ...user, password_hash: '' })
    .execute();
  return { user: { ...user, grace_ms: 3 * DAY } };
}

/** One member, the provider and the wires between them, in all of which anything may go wrong. */
export class History {
  readonly test: TestApp;
  readonly actor: Actor;
  /** On their way: any of them may arrive later, twice or never. */
  pending: SignedWebhook[] = [];
  constructor(test: TestApp, actor: Actor) {
    this.test = test;
    this.actor = actor;
  }

  get db() {
    return this.test.deps.database.db;
  }

  references = () =>
    this.db
      .selectFrom('checkouts')
      .select('reference')
      .where('user_id', '=', this.actor.user.id)
      .execute();

  /** What the provider really took, from its own books. */
  charges = async () => {
    const rows = await this.db
      .selectFrom('sandbox_charges')
      .innerJoin(
        'sandbox_checkouts',
        'sandbox_checkouts.customer_id',
        'sandbox_charges.customer_id',
      )
      .innerJoin('checkouts', 'checkouts.reference', 'sandbox_checkouts.reference')
      .selectAll('sandbox_charges')
      .distinct()
      .where('checkouts.user_id', '=', this.actor.user.id)
      .where('sandbox_charges.status', '=', 'paid')
      .execute();
    return rows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  };

  agreements = () =>
    this.db
      .selectFrom('agreements')
      .select('agreement_id')
      .where('user_id', '=', this.actor.user.id)
      .where('status', '<>', 'ended')
      .execute();

  model = async ({ ignoresLosses = false } = {}) => {
    const charges = await this.charges();
    return payModel(
      charges.map(({ id, at, plan, agreement_id, refunded, amount, is_disputed }) => ({
        id,
        at,
        plan: plan ?? 'monthly',
        agreement: agreement_id ?? '',
        isGone: !ignoresLosses && (refunded >= amount || is_disputed === 1),
      })),
    );
  };

  stored = async () => {
    const row = await this.db
      .selectFrom('users')
      .select('paid_through')
      .where('id', '=', this.actor.user.id)
      .executeTakeFirstOrThrow();
    return row.paid_through;
  };

  /** Steps of ours, in which the process may die; those of the provider happen or do not. */
  ours = async (one: HistoryStep): Promise<void> => {
    const { deps } = this.test;
    const { actor } = this;
    if (one.do === 'cancel') await cancelSubscription(deps, actor, { reason: 'other' });
    if (one.do === 'resume') await resumeSubscription(deps, actor);
    if (one.do === 'change') await changePlan(deps, actor, one.plan);
    if (one.do === 'work') await this.test.worker.runDue();
    if (one.do === 'buy') await startCheckout(deps, actor, { plan: one.plan });
    if (one.do === 'return')
      for (const { reference } of await this.references())
        await settleCheckout(deps, actor, reference);
    if (one.do === 'hear') {
      const [webhook] = this.pending.splice(one.pick % Math.max(1, this.pending.length), 1);
      if (!webhook) return;
      // Every third one is lost on the way, every third comes twice.
      if (one.pick % 3 > 0) await deliver(this.test, webhook);
      if (one.pick % 3 > 1) this.pending.push(webhook);
    }
  };

  theirs = async (one: HistoryStep): Promise<void> => {
    const { sandbox } = this.test;
    const paid = await this.charges();
    const charge = paid[one.pick % Math.max(1, paid.length)];
    if (one.do === 'buy')
      for (const { reference } of await this.references())
        await sandbox.pay(reference, { card: one.card });
    if (one.do === 'pass')
      for (let left = one.days; left > 0; left -= 3) {
        this.test.clock.advance(Math.min(3, left) * DAY);
        await sandbox.renewDue();
      }
    if (one.do === 'card')
      for (const { agreement_id } of await this.agreements())
        await sandbox.replaceCard(agreement_id, one.card);
    if (one.do === 'refund' && charge && charge.refunded < charge.amount)
      await this.test.deps.payments.refund({
        chargeId: charge.id,
        amount: one.pick % 4 === 0 ? 1_00 : charge.amount - charge.refunded,
        key: newId(),
      });
    if (one.do === 'dispute' && charge) await sandbox.dispute(charge.id);
    if (one.do === 'win' && charge) await sandbox.endDispute(charge.id);
  };

  kill = ({ at, count, isAfter }: NonNullable<HistoryStep['dies']>) =>
    at === 'call'
      ? killAtCall(this.test.deps.payments, { call: count, isAfter })
      : killAt(this.test.deps.database, { transaction: count, isAfter });

  play = async (one: HistoryStep) => {
    const process = one.dies ? this.kill(one.dies) : null;
    try {
      await this.ours(one);
    } catch (error) {
      // Refused as it should be, or nobody was left to say so.
      const isExpected = error instanceof AppError || error instanceof Killed;
      if (!isExpected && !process) throw error;
    } finally {
      process?.restart();
    }
    await this.theirs(one).catch((error: unknown) => {
      if ((error as Error).name !== 'PaymentsError') throw error;
    });
    this.pending.push(...(await this.test.sandbox.takeWebhooks()));
    this.test.clock.advance(MINUTE);
  };

  /** The wires stay silent: what is true is found by asking. */
  settle = async () => {
    this.test.clock.advance(8 * DAY);
    for (let hour = 0; hour < 4; hour += 1) {
      this.test.clock.advance(60 * MINUTE);
      await reconcile(this.test);
    }
  };

  /** The member leaves, and pays what pages are still open all the same. Answers what still renews. */
  leave = async () => {
    const { id } = this.actor.user;
    const references = (await this.references()).map(({ reference }) => reference);
    const { dialect } = this.test.deps.database;
    await this.db.transaction().execute(async (tx) => {
      await forgetBilling(tx, dialect, id, this.test.clock.now());
      await tx.deleteFrom('users').where('id', '=', id).execute();
    });
    for (const reference of references)
      await this.test.sandbox.pay(reference, { card: 'success' }).catch(() => undefined);
    for (let hour = 0; hour < 3; hour += 1) {
      this.test.clock.advance(60 * MINUTE);
      await reconcile(this.test);
    }
    return this.db
      .selectFrom('sandbox_agreements')
      .innerJoin(
        'sandbox_checkouts',
        'sandbox_checkouts.customer_id',
        'sandbox_agreements.customer_id',
      )
      .select('sandbox_agreements.id')
      .where('sandbox_checkouts.reference', 'in', references)
      .where('sandbox_agreements.status', 'in', ['active', 'late'])
      .execute();
  };

  /** Nobody asks about this member any more; the next history begins with nothing due. */
  close = async () => {
    await this.db.updateTable('sandbox_agreements').set({ status: 'ended' }).execute();
    await this.db.updateTable('agreements').set({ check_at: null }).execute();
    await this.db
      .updateTable('checkouts')
      .set({ state: 'expired' })
      .where('state', '=', 'open')
      .execute();
    await this.db.deleteFrom('jobs').execute();
  };
}
