import { confirmCheckout, startCheckout } from '../../features/billing/checkout/checkout.ts';
import { makeRefundJob } from '../../features/billing/refunds/make-refund.ts';
import { payOnce } from '../../features/billing/pay-once/pay-once.ts';
import { createGift, redeemGift } from '../../features/billing/pay-once/redeem-gift.ts';
import { sendBillingMessage } from '../../features/billing/billing-mail/send-messages.ts';
import { checkPriceChanges, runPriceChange } from '../../features/billing/prices/jobs.ts';
import { planPriceChange } from '../../features/billing/prices/service.ts';
import { anonymiseBilling } from '../../features/billing/privacy/service.ts';
import type { PaymentRow } from '../../features/billing/queries.ts';
import { announceEnds } from '../../features/billing/subscriptions/announce-ends.ts';
import { forgetCardJob } from '../../features/billing/subscriptions/cards.ts';
import {
  dun,
  renewDue,
  settleOpenPayments,
  watchAccount,
} from '../../features/billing/subscriptions/jobs.ts';
import {
  cancelSubscription,
  changePlan,
  resumeSubscription,
} from '../../features/billing/subscriptions/manage-subscription.ts';
import { openCardPage } from '../../features/billing/checkout/pay-page.ts';
import { getPlans } from '../../features/billing/subscriptions/service.ts';
import {
  receiveWebhook,
  settleReportedPayment,
} from '../../features/billing/checkout/webhook-routes.ts';
import { changeSettings, readSettings } from '../../db/settings.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { enqueue } from '../../jobs/queue.ts';
import { createWorker } from '../../jobs/worker.ts';
import { Killed } from '../kill-process.ts';
import type { TestApp } from '../test-app.ts';
import type { FakeProvider } from './fake-provider.ts';
import type { SignedWebhook } from './fake-webhooks.ts';
import { injectFailure } from './failures.ts';
import { ProviderModel, type Gift, type SiteUser } from './provider-model.ts';
import type { Action, Failure, Step } from './random-histories.ts';
import { priceOnce } from '#contract/rules/plans.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** Without messages, which other tests cover. */
const jobs = [
  renewDue,
  settleOpenPayments,
  dun,
  watchAccount,
  announceEnds,
  settleReportedPayment,
  makeRefundJob,
  forgetCardJob,
  checkPriceChanges,
  runPriceChange,
];
const SCHEDULES = [settleOpenPayments, renewDue, dun, announceEnds, checkPriceChanges];

/** What a user does to be charged. */
const WANTS = new Set<string>(['buy', 'resume', 'change', 'pay', 'card', 'once']);
const NOTICE_DAYS = 28;

/** Our server, the provider and its customers, with failures anywhere between them. */
export class Site extends ProviderModel {
  readonly test: TestApp;
  readonly users: SiteUser[];
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

  /** Everything that we know about payments, by reference. */
  async readRows(): Promise<Map<string, PaymentRow>> {
    const rows = await this.db.selectFrom('payments').selectAll().execute();
    return new Map(rows.map((row) => [row.reference, row]));
  }

  userAt(index: number): SiteUser {
    const user = this.users[index];
    if (!user) throw new Error(`There is no user ${index}.`);
    return user;
  }

  private createWorker = () => createWorker({ deps: this.test.deps, jobs, defined: [] });

  private restart() {
    this.test.worker = this.createWorker();
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
    if (one.do === 'resume') await resumeSubscription(deps, viewer);
    if (one.do === 'change') await changePlan(deps, viewer, one.plan);
    if (one.do === 'buy') await this.startPaying(one, viewer);
    if (one.do === 'card') await openCardPage(deps, viewer);
    if (one.do === 'pay') await openCardPage(deps, viewer, { isForOwed: true });
    if (one.do === 'once') {
      const months = one.plan === 'annual' ? 12 : 3;
      const amount = priceOnce(await getPlans(deps), months);
      await payOnce(deps, viewer, { months, amount });
    }
    if (one.do === 'return')
      for (const { reference } of this.paymentsOf(user)
        .filter(({ isPage }) => isPage)
        .slice(-2))
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

  /** The member pays on pages that are open, now or long after opening them. */
  private payPages(one: Action, user: SiteUser) {
    if (one.pick % 7 === 0) return;
    for (const { reference, isPage, status } of this.paymentsOf(user)) {
      if (!isPage || status !== 'open') continue;
      const isOnce = one.do === 'once';
      const card = isOnce && one.pick % 2 ? ('bank' as const) : one.card;
      this.fakeProvider.pay(reference, card, one.pick % 13 === 1);
    }
  }

  /** A step of the provider, a bank or a customer. */
  private runProviderAction(one: Action, user: SiteUser) {
    const { fakeProvider } = this;
    if (['buy', 'card', 'pay', 'once'].includes(one.do)) this.payPages(one, user);
    if (one.do === 'decide')
      for (const { reference } of this.paymentsOf(user))
        fakeProvider.decideBank(reference, one.pick % 4 > 0);
    if (one.do === 'trouble') fakeProvider.changeCards(user.viewer.user.email, one.card);
    if (one.do === 'foreign') fakeProvider.payForeign();
    const paid = this.paidOf(user).filter(({ amount }) => amount > 1_00);
    const payment = paid[one.pick % Math.max(1, paid.length)];
    const chargeId = payment?.chargeId;
    if (!payment || !chargeId) return;
    if (one.do === 'dispute') fakeProvider.setDisputed(chargeId, true);
    if (one.do === 'win') fakeProvider.setDisputed(chargeId, false);
    const left = payment.amount - payment.refunded;
    if (one.do === 'refund' && left > 0)
      fakeProvider.refundByHand(chargeId, one.pick % 4 === 0 ? Math.min(left, 1_00) : left);
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

  private async enqueueSchedules(all = false) {
    for (const { name } of all ? [...SCHEDULES, watchAccount] : SCHEDULES) {
      // A real schedule runs again at its next time, however the last run ended.
      await this.db
        .deleteFrom('jobs')
        .where('name', '=', name)
        .where('state', '=', 'dead')
        .execute();
      const schedule = { name, lane: 'payments' as const, maxAttempts: 1, encode: () => '{}' };
      await enqueue(this.db, schedule, {}, { now: 0, uniqueKey: `schedule:${name}` });
      await this.db.updateTable('jobs').set({ run_at: 0 }).where('name', '=', name).execute();
    }
  }

  /** The regular jobs run once, by several workers at the same time. */
  async work(workers: number, failure: Failure | null = null, all = false) {
    await this.dropMessages();
    await this.enqueueSchedules(all);
    const others = Array.from({ length: workers - 1 }, this.createWorker);
    await this.withFailure(failure, () =>
      Promise.all([this.test.worker, ...others].map((worker) => worker.runDue())),
    );
  }

  /** Days in which everything runs, or nothing does. */
  async passDays(days: number, isDown = false) {
    for (let day = 0; day < days; day++) {
      this.test.clock.advance(DAY);
      this.fakeProvider.loseUnanswered();
      if (!isDown) await this.work(1, null, day % 5 === 0);
    }
  }

  /** A wrong clock, noticed an hour later. */
  private async jump(days: number) {
    const { clock } = this.test;
    clock.advance(days * DAY);
    this.fakeProvider.skewMs = -days * DAY;
    await this.work(2);
    this.fakeProvider.skewMs = 0;
    clock.advance(-days * DAY);
  }

  async raise(plan: 'monthly' | 'annual', isSent: boolean) {
    const now = this.test.clock.now();
    const { monthlyPrice, annualPrice } = await readSettings(this.db, now);
    const amount = (plan === 'annual' ? annualPrice : monthlyPrice) + 10_00;
    const viewer = this.userAt(0).viewer;
    const startsAt = now + 2 * DAY;
    const change = { plan, amount, startsAt, noticeDays: NOTICE_DAYS };
    await this.withFailure(null, () => planPriceChange(this.test.deps, viewer, change));
    const { mail } = this.test.deps;
    const { send } = mail;
    if (!isSent)
      mail.send = async () => {
        throw new Error('The mail server is down.');
      };
    await this.work(1);
    mail.send = send;
  }

  async play(one: Step) {
    this.test.clock.advance(MINUTE);
    if (one.do === 'work') await this.work(one.workers, one.failure, true);
    else if (one.do === 'pass') await this.passDays(one.days, one.isDown);
    else if (one.do === 'jump') await this.jump(one.days);
    else if (one.do === 'raise') await this.raise(one.plan, one.isSent);
    else await this.act(one, this.userAt(one.user));
    this.pending.push(...this.fakeProvider.drainWebhooks());
  }

  private async act(one: Action, user: SiteUser) {
    if (one.do === 'gift' && !user.gift) {
      const { url } = await createGift(this.test.deps, user.viewer, { months: 2, from: 'A' });
      user.gift = { token: url.split('/').at(-1) ?? '', attempts: [], at: null };
    }
    await this.withFailure(one.failure, () => this.runUserAction(one, user));
    this.runProviderAction(one, user);
  }

  /** No more webhook events arrive: the jobs must find the rest. */
  async catchUp() {
    this.restart();
    this.test.clock.advance(8 * DAY);
    for (let round = 0; round < 4; round += 1) {
      this.test.clock.advance(2 * 60 * MINUTE);
      await this.work(1, null, true);
    }
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

  /** Deletes accounts, whose open pages are then paid all the same. */
  async deleteAccounts(deleted: readonly SiteUser[]) {
    const { dialect } = this.test.deps.database;
    for (const { viewer } of deleted)
      await this.db.transaction().execute(async (tx) => {
        await anonymiseBilling(tx, dialect, viewer.user.id, this.test.clock.now());
        await tx.deleteFrom('users').where('id', '=', viewer.user.id).execute();
      });
    const before = new Set(deleted.flatMap((user) => this.paidOf(user)));
    for (const user of deleted)
      for (const { reference } of this.paymentsOf(user)) this.fakeProvider.pay(reference, 'pays');
    for (let day = 0; day < 40; day += 8) {
      this.test.clock.advance(8 * DAY);
      await this.work(1, null, true);
    }
    return deleted.flatMap((user) => this.paidOf(user)).filter((paid) => !before.has(paid));
  }

  /** Forgets these users, so that the next histories start with nothing due. */
  async close() {
    const now = this.test.clock.now();
    await this.db.updateTable('subscriptions').set({ status: 'ended', ended_at: now }).execute();
    await this.db.updateTable('payments').set({ check_at: null }).execute();
    await this.db
      .updateTable('payments')
      .set({ state: 'expired' })
      .where('state', 'in', ['open', 'asked', 'pending'])
      .execute();
    await this.db.updateTable('price_changes').set({ state: 'replaced' }).execute();
    await changeSettings(this.db, { monthlyPrice: 79_00, annualPrice: 790_00 }, now);
    await this.db.deleteFrom('counters').where('name', 'like', 'account-watched:%').execute();
    await this.db.deleteFrom('jobs').execute();
  }
}
