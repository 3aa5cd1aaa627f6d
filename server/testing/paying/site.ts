import { confirmCheckout, startCheckout } from '../../features/billing/checkout/checkout.ts';
import { changePlan } from '../../features/billing/subscriptions/change-plan.ts';
import { createGift, redeemGift } from '../../features/billing/checkout/gifts.ts';
import { sendBillingMessage } from '../../features/billing/billing-mail/send-messages.ts';
import {
  cancelProviderSubscription,
  closeDepartedCheckout,
} from '../../features/billing/privacy/departed-members.ts';
import { reconcilePayments } from '../../features/billing/reconcile/jobs.ts';
import { reconcileSubscriptionJob } from '../../features/billing/reconcile/reconcile-subscription.ts';
import { processWebhookEvent } from '../../features/billing/webhooks/webhook-events.ts';
import { payOwed } from '../../features/billing/subscriptions/pay-owed.ts';
import { resumeSubscription } from '../../features/billing/subscriptions/change-plan.ts';
import { cancelSubscription } from '../../features/billing/subscriptions/manage-subscription.ts';
import { anonymiseBilling } from '../../features/billing/privacy/service.ts';
import { receiveWebhook } from '../../features/billing/webhooks/routes.ts';
import { changeSettings } from '../../db/settings.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';
import { createWorker } from '../../jobs/worker.ts';
import type { SignedWebhook } from '../../ports/payments/sandbox/sandbox.ts';
import { Killed } from '../kill-process.ts';
import { ProviderModel, type Gift, type SiteUser } from './provider-model.ts';
import { reconcile } from '../test-payments.ts';
import type { TestApp } from '../test-app.ts';
import type { FakeProvider } from './fake-provider.ts';
import type { Action, Step, Failure } from './random-histories.ts';
import { injectFailure } from './failures.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** A later chargeback is only found by its webhook event. */
const LOSS_DAYS = 100;

/** Without messages, which other tests cover. */
const jobs = [
  processWebhookEvent,
  reconcileSubscriptionJob,
  reconcilePayments,
  cancelProviderSubscription,
  closeDepartedCheckout,
];

/** What a user does to be charged. */
const WANTS = new Set<string>(['buy', 'resume', 'change', 'pay']);

/** Our server, the provider and its customers, with failures anywhere between them. */
export class Site extends ProviderModel {
  readonly test: TestApp;
  readonly users: SiteUser[];
  /** When charges were refunded in full at the provider. */
  readonly refundedAt = new Map<string, number>();
  /** Sent but not received: each may arrive later, twice or never. */
  private pending: SignedWebhook[] = [];

  constructor(test: TestApp, fakeProvider: FakeProvider, users: SiteUser[]) {
    super(fakeProvider);
    this.test = test;
    this.users = users;
  }

  private get db() {
    return this.test.deps.database.db;
  }

  private userAt(index: number): SiteUser {
    const user = this.users[index];
    if (!user) throw new Error(`There is no user ${index}.`);
    return user;
  }

  private restart() {
    this.test.worker = createWorker({ deps: this.test.deps, jobs, defined: [] });
  }

  /** A step on our side, where everything may fail. */
  private async runUserAction(one: Action, user: SiteUser): Promise<void> {
    const { deps } = this.test;
    const { viewer, gift } = user;
    if (WANTS.has(one.do))
      Object.assign(user, { cancelledAt: null, wantedAt: this.test.clock.now() });
    if (one.do === 'cancel') {
      await cancelSubscription(deps, viewer, { reason: 'other' });
      user.cancelledAt = this.test.clock.now();
    }
    if (one.do === 'pay') await payOwed(deps, viewer);
    if (one.do === 'resume') await resumeSubscription(deps, viewer);
    if (one.do === 'change') await changePlan(deps, viewer, one.plan);
    if (one.do === 'buy') await this.startPaying(one, viewer);
    if (one.do === 'return')
      for (const { reference } of this.checkoutsOf(user).slice(-2))
        await confirmCheckout(deps, viewer, reference);
    if (one.do === 'deliver') await this.deliverSome(one.pick);
    if (one.do === 'gift' && gift) await this.redeemOwnGift(user, gift);
  }

  /** Sometimes from two tabs at the same time, with the same plan or different ones. */
  private async startPaying({ plan, code, pick }: Action, viewer: Viewer) {
    const tabs = [[plan], [plan], [plan, plan], ['monthly', 'annual']] as const;
    const started = await Promise.allSettled(
      (tabs[pick % tabs.length] ?? []).map((wanted) =>
        startCheckout(this.test.deps, viewer, {
          plan: wanted,
          ...(code ? { coupon: code } : {}),
        }),
      ),
    );
    for (const tab of started) if (tab.status === 'rejected') throw tab.reason;
  }

  /** Any of the pending events: every third is lost, every third arrives again. */
  private async deliverSome(pick: number) {
    for (let i = 0; i < 3; i++) {
      const [webhook] = this.pending.splice((pick * (i + 7)) % Math.max(1, this.pending.length), 1);
      if (!webhook) return;
      if ((pick + i) % 3 > 1) this.pending.push(webhook);
      if ((pick + i) % 3 > 0)
        await receiveWebhook(this.test.deps, webhook.headers, webhook.rawBody);
    }
  }

  private async redeemOwnGift({ viewer }: SiteUser, gift: Gift) {
    if (gift.at !== null) return;
    gift.attempts.push(this.test.clock.now());
    try {
      await redeemGift(this.test.deps, viewer, gift.token);
      gift.at = this.test.clock.now();
      gift.attempts = [gift.at];
    } catch (error) {
      // An earlier attempt was recorded although its response was lost.
      if (error instanceof AppError && error.code === 'gift_redeemed') gift.attempts.pop();
      else throw error;
    }
  }

  /** A step of the provider, a bank or a customer. */
  private runProviderAction(one: Action, user: SiteUser) {
    const { fakeProvider } = this;
    const now = this.test.clock.now();
    const recent = this.chargesOf(user).filter(({ at }) => at > now - LOSS_DAYS * DAY);
    const charge = recent[one.pick % Math.max(1, recent.length)];
    const running = this.subscriptionsOf(user).filter(({ status }) => status !== 'ended');
    if (one.do === 'buy' && one.pick % 7 > 0)
      for (const { reference, state } of this.checkoutsOf(user)) {
        if (state === 'open' && one.pick % 13 === 0) fakeProvider.mistake(reference, 'amount');
        fakeProvider.pay(reference, one.card);
      }
    if (one.do === 'card') for (const { id } of running) fakeProvider.replaceCard(id, one.card);
    if (one.do === 'mistake')
      for (const { id } of running) fakeProvider.mistake(id, one.pick % 2 ? 'amount' : 'currency');
    if (one.do === 'edit')
      for (const { id, renewal_amount } of running)
        fakeProvider.editAmount(id, renewal_amount + (one.pick % 2 ? 20_00 : -20_00));
    if (one.do === 'arrive')
      for (const { reference } of this.checkoutsOf(user)) fakeProvider.finish(reference);
    if (one.do === 'foreign') fakeProvider.payForeign();
    if (one.do === 'dispute' && charge) fakeProvider.setDisputed(charge.id, true);
    if (one.do === 'win' && charge?.is_lost === 0) fakeProvider.setDisputed(charge.id, false);
    const left = charge ? charge.amount - charge.refunded : 0;
    if (one.do === 'refund' && charge && left > 0) {
      const amount = one.pick % 4 === 0 ? Math.min(left, 1_00) : left;
      if (amount === left) this.refundedAt.set(charge.id, now);
      return fakeProvider.payments.refund({ chargeId: charge.id, amount, key: newId() });
    }
    return undefined;
  }

  private async withFailure(failure: Failure | null, act: () => Promise<unknown>) {
    const { restore } = injectFailure(this.test, failure);
    try {
      await act();
    } catch (error) {
      // Refused as expected, or the process was killed.
      const isExpected = error instanceof AppError || error instanceof Killed;
      if (!isExpected && failure?.is !== 'killed') throw error;
    } finally {
      restore();
    }
    if (failure?.is === 'killed') this.restart();
  }

  /** They would only slow the worker down. */
  private dropMessages = () =>
    this.db.deleteFrom('jobs').where('name', '=', sendBillingMessage.name).execute();

  async play(one: Step) {
    const { clock } = this.test;
    clock.advance(MINUTE);
    if (one.do === 'work') {
      await this.dropMessages();
      await this.withFailure(one.failure, () => this.test.worker.runDue());
    } else if (one.do === 'pass')
      for (let day = 0; day < one.days; day++) {
        clock.advance(DAY);
        this.fakeProvider.renewDue();
        this.fakeProvider.loseUnanswered();
      }
    else await this.act(one, this.userAt(one.user));
    this.pending.push(...this.fakeProvider.drainWebhooks());
  }

  private async act(one: Action, user: SiteUser) {
    if (one.do === 'gift' && !user.gift) {
      const { url } = await createGift(this.test.deps, user.viewer, { months: 2, from: 'A' });
      user.gift = { token: url.split('/').at(-1) ?? '', attempts: [], at: null };
    }
    await this.withFailure(one.failure, () => this.runUserAction(one, user));
    await this.runProviderAction(one, user);
  }

  private async reconcile() {
    for (let hour = 0; hour < 2; hour += 1) {
      this.test.clock.advance(60 * MINUTE);
      await this.dropMessages();
      await reconcile(this.test);
    }
  }

  /** No more webhook events arrive: reconciling must find the rest. */
  async catchUp() {
    this.restart();
    this.test.clock.advance(8 * DAY);
    await this.reconcile();
    for (const user of this.users) {
      const { gift } = user;
      if (!gift) continue;
      await this.withFailure(null, () => this.redeemOwnGift(user, gift));
      // Redeeming it again must be refused, or the result below is wrong.
      await this.withFailure(null, () => redeemGift(this.test.deps, user.viewer, gift.token));
    }
  }

  async setTrial(trialDays: number) {
    await changeSettings(this.db, { trialDays }, this.test.clock.now());
  }

  /** Deletes accounts, whose open checkouts are then paid all the same. */
  async deleteAccounts(deleted: readonly SiteUser[]) {
    const { dialect } = this.test.deps.database;
    for (const { viewer } of deleted)
      await this.db.transaction().execute(async (tx) => {
        await anonymiseBilling(tx, dialect, viewer.user.id, this.test.clock.now());
        await tx.deleteFrom('users').where('id', '=', viewer.user.id).execute();
      });
    for (const user of deleted)
      for (const { reference } of this.checkoutsOf(user))
        this.fakeProvider.pay(reference, 'success');
    await this.reconcile();
  }

  /** Stops checking these users, so that the next histories start with nothing due. */
  async close() {
    await this.db
      .updateTable('provider_subscriptions')
      .set({ check_at: null })
      .where('check_at', 'is not', null)
      .execute();
    await this.db
      .updateTable('checkouts')
      .set({ check_at: null })
      .where('check_at', 'is not', null)
      .execute();
    await this.db
      .updateTable('checkouts')
      .set({ state: 'expired' })
      .where('state', '=', 'open')
      .execute();
    await this.db.deleteFrom('jobs').execute();
  }
}
