import { confirmCheckout, startCheckout } from '../../features/billing/checkout/checkout.ts';
import { changePlan } from '../../features/billing/subscription/change-plan.ts';
import { createGift, redeemGift } from '../../features/billing/coupons/gifts.ts';
import { sendBillingMessage } from '../../features/billing/messages/send-messages.ts';
import {
  cancelProviderSubscription,
  closeDepartedCheckout,
} from '../../features/billing/privacy/departed-members.ts';
import { reconcilePayments } from '../../features/billing/reconcile/jobs.ts';
import { reconcileSubscriptionJob } from '../../features/billing/reconcile/reconcile-subscription.ts';
import { processWebhookEvent } from '../../features/billing/webhooks/webhook-events.ts';
import {
  cancelSubscription,
  resumeSubscription,
} from '../../features/billing/subscription/manage-subscription.ts';
import { anonymiseBilling } from '../../features/billing/privacy/service.ts';
import { receiveWebhook } from '../../features/billing/webhooks/routes.ts';
import { changeSettings } from '../../db/settings.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { newId } from '../../ids.ts';
import { createWorker } from '../../jobs/worker.ts';
import type { SignedWebhook } from '../../ports/payments/sandbox/sandbox.ts';
import { Killed } from '../kill-process.ts';
import { payModel, type Given, type Note } from '../paid-model.ts';
import { reconcile } from '../test-payments.ts';
import type { TestApp } from '../test-app.ts';
import type { Company } from './fake-provider.ts';
import type { Act, Happening, Trouble } from './events.ts';
import { makeTrouble } from './trouble.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** What a bank takes back later than this is heard of only when it is told. */
const LOSS_DAYS = 100;

/** Messages are another matter: nobody sends them. */
const jobs = [
  processWebhookEvent,
  reconcileSubscriptionJob,
  reconcilePayments,
  cancelProviderSubscription,
  closeDepartedCheckout,
];

type Gift = { token: string; attempts: number[]; at: number | null };
export type Member = { viewer: Viewer; gift: Gift | null };

/** All ways to take one of each. */
const combine = <T>(groups: readonly (readonly T[])[]): T[][] =>
  groups.reduce<T[][]>(
    (all, group) => all.flatMap((some) => group.map((one) => [...some, one])),
    [[]],
  );

/** Our server, the company, its customers and the wires between them, in all of which anything may go wrong. */
export class Site {
  readonly test: TestApp;
  readonly company: Company;
  readonly members: Member[];
  /** On their way: any of them may arrive later, twice or never. */
  private pending: SignedWebhook[] = [];

  constructor(test: TestApp, company: Company, members: Member[]) {
    this.test = test;
    this.company = company;
    this.members = members;
  }

  private get db() {
    return this.test.deps.database.db;
  }

  private memberOf(index: number): Member {
    const member = this.members[index];
    if (!member) throw new Error(`There is no member ${index}.`);
    return member;
  }

  pagesOf = ({ viewer }: Member) =>
    [...this.company.checkouts.values()].filter(({ userId }) => userId === viewer.user.id);

  private customersOf = (member: Member) =>
    new Set(this.pagesOf(member).map(({ customer_id }) => customer_id));

  subscriptionsOf(member: Member) {
    const customers = this.customersOf(member);
    return [...this.company.subscriptions.values()].filter((row) => customers.has(row.customer_id));
  }

  private takenFrom(member: Member) {
    const customers = this.customersOf(member);
    return [...this.company.charges.values()].filter(
      ({ id, status, customer_id }) =>
        status === 'paid' && customers.has(customer_id) && !this.company.mistaken.has(id),
    );
  }

  /** Payments at a reduced price, in their order: the code is for one of each person. */
  reducedOf(member: Member) {
    const pages = this.pagesOf(member).filter((row) => row.amount < row.renewal_amount);
    const references = new Set(pages.map(({ reference }) => reference));
    return this.takenFrom(member)
      .filter(({ reference }) => reference !== null && references.has(reference))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /** What was really taken and had been agreed to, from the company's own books. */
  chargesOf(member: Member) {
    const tooMany = new Set(this.reducedOf(member).slice(1));
    return this.takenFrom(member).filter((charge) => !tooMany.has(charge));
  }

  /** Free days: the trial once, and each code once, of whichever page was heard of first. */
  private freeDaysOf(member: Member): Given[][] {
    const pages = this.pagesOf(member).filter(({ state }) => state === 'paid');
    return [7, 30]
      .map((days) =>
        pages
          .filter((row) => Math.round((row.first_charge_at - row.created_at) / DAY) === days)
          .map((row) => ({ at: row.first_charge_at - days * DAY, days })),
      )
      .filter((group) => group.length > 0);
  }

  private giftOf({ gift }: Member): Given[][] {
    if (!gift) return [];
    const times = gift.at === null ? gift.attempts : [gift.at];
    return [times.map((at) => ({ at, months: 2 }))];
  }

  /** Every answer that is right; there is more than one only where two pages gave the same free days. */
  modelsOf(member: Member, { ignoresLosses = false } = {}): (number | null)[] {
    const notes = this.chargesOf(member).map(
      ({ id, at, plan, provider_subscription_id, refunded, amount, is_disputed }): Note => ({
        id,
        at,
        plan: plan ?? 'monthly',
        providerSubscription: provider_subscription_id ?? '',
        isGone: !ignoresLosses && (refunded >= amount || is_disputed === 1),
      }),
    );
    const given = combine([...this.freeDaysOf(member), ...this.giftOf(member)]);
    return [...new Set(given.map((some) => payModel([...notes, ...some])))];
  }

  private restart() {
    this.test.worker = createWorker({ deps: this.test.deps, jobs, defined: [] });
  }

  /** Steps of ours, in which everything may go wrong. */
  private async ours(one: Act, member: Member): Promise<void> {
    const { deps } = this.test;
    const { viewer, gift } = member;
    if (one.do === 'cancel') await cancelSubscription(deps, viewer, { reason: 'other' });
    if (one.do === 'resume') await resumeSubscription(deps, viewer);
    if (one.do === 'change') await changePlan(deps, viewer, one.plan);
    if (one.do === 'buy') await this.beginToPay(one, viewer);
    if (one.do === 'return')
      for (const { reference } of this.pagesOf(member).slice(-2))
        await confirmCheckout(deps, viewer, reference);
    if (one.do === 'hear') await this.hear(one.pick);
    if (one.do === 'gift' && gift) await this.openGift(member, gift);
  }

  /** Now and then from two tabs at the same moment, with the same plan or not. */
  private async beginToPay({ plan, code, pick }: Act, viewer: Viewer) {
    const tabs = [[plan], [plan], [plan, plan], ['monthly', 'annual']] as const;
    const begun = await Promise.allSettled(
      (tabs[pick % tabs.length] ?? []).map((wanted) =>
        startCheckout(this.test.deps, viewer, {
          plan: wanted,
          ...(code ? { coupon: code } : {}),
        }),
      ),
    );
    for (const tab of begun) if (tab.status === 'rejected') throw tab.reason;
  }

  /** Any of what is on its way: every third is lost, every third comes again. */
  private async hear(pick: number) {
    for (let i = 0; i < 3; i++) {
      const [webhook] = this.pending.splice((pick * (i + 7)) % Math.max(1, this.pending.length), 1);
      if (!webhook) return;
      if ((pick + i) % 3 > 1) this.pending.push(webhook);
      if ((pick + i) % 3 > 0)
        await receiveWebhook(this.test.deps, webhook.headers, webhook.rawBody);
    }
  }

  private async openGift({ viewer }: Member, gift: Gift) {
    if (gift.at !== null) return;
    gift.attempts.push(this.test.clock.now());
    try {
      await redeemGift(this.test.deps, viewer, gift.token);
      gift.at = this.test.clock.now();
      gift.attempts = [gift.at];
    } catch (error) {
      // One of those before was written down, though nobody heard so.
      if (error instanceof AppError && error.code === 'gift_redeemed') gift.attempts.pop();
      else throw error;
    }
  }

  /** What the company, the banks and the customers do. */
  private theirs(one: Act, member: Member) {
    const { company } = this;
    const now = this.test.clock.now();
    const recent = this.chargesOf(member).filter(({ at }) => at > now - LOSS_DAYS * DAY);
    const charge = recent[one.pick % Math.max(1, recent.length)];
    const running = this.subscriptionsOf(member).filter(({ status }) => status !== 'ended');
    if (one.do === 'buy' && one.pick % 7 > 0)
      for (const { reference, state } of this.pagesOf(member)) {
        if (state === 'open' && one.pick % 13 === 0) company.mistake(reference, 'amount');
        company.pay(reference, one.card);
      }
    if (one.do === 'card') for (const { id } of running) company.replaceCard(id, one.card);
    if (one.do === 'mistake')
      for (const { id } of running) company.mistake(id, one.pick % 2 ? 'amount' : 'currency');
    if (one.do === 'dispute' && charge) company.setDisputed(charge.id, true);
    if (one.do === 'win' && charge) company.setDisputed(charge.id, false);
    const left = charge ? charge.amount - charge.refunded : 0;
    if (one.do === 'refund' && charge && left > 0) {
      const amount = one.pick % 4 === 0 ? Math.min(left, 1_00) : left;
      return company.payments.refund({ chargeId: charge.id, amount, key: newId() });
    }
    return undefined;
  }

  private async inTrouble(trouble: Trouble | null, act: () => Promise<unknown>) {
    const { mend } = makeTrouble(this.test, trouble);
    try {
      await act();
    } catch (error) {
      // Refused as it should be, or nobody was left to say so.
      const isExpected = error instanceof AppError || error instanceof Killed;
      if (!isExpected && trouble?.is !== 'killed') throw error;
    } finally {
      mend();
    }
    if (trouble?.is === 'killed') this.restart();
  }

  /** They only stand in the way of whoever looks for work. */
  private dropMessages = () =>
    this.db.deleteFrom('jobs').where('name', '=', sendBillingMessage.name).execute();

  async play(one: Happening) {
    const { clock } = this.test;
    clock.advance(MINUTE);
    if (one.do === 'work') {
      await this.dropMessages();
      await this.inTrouble(one.trouble, () => this.test.worker.runDue());
    } else if (one.do === 'pass')
      for (let day = 0; day < one.days; day++) {
        clock.advance(DAY);
        this.company.renewDue();
      }
    else await this.act(one, this.memberOf(one.member));
    this.pending.push(...this.company.drainWebhooks());
  }

  private async act(one: Act, member: Member) {
    if (one.do === 'gift' && !member.gift) {
      const { url } = await createGift(this.test.deps, member.viewer, { months: 2, from: 'A' });
      member.gift = { token: url.split('/').at(-1) ?? '', attempts: [], at: null };
    }
    await this.inTrouble(one.trouble, () => this.ours(one, member));
    await this.theirs(one, member);
  }

  private async reconcile() {
    for (let hour = 0; hour < 2; hour += 1) {
      this.test.clock.advance(60 * MINUTE);
      await this.dropMessages();
      await reconcile(this.test);
    }
  }

  /** The wires stay silent: what is true is found by asking. */
  async settle() {
    this.restart();
    this.test.clock.advance(8 * DAY);
    await this.reconcile();
    for (const member of this.members) {
      const { gift } = member;
      if (!gift) continue;
      await this.inTrouble(null, () => this.openGift(member, gift));
      // The link is pressed once more: it must be refused, or the reckoning below is wrong.
      await this.inTrouble(null, () => redeemGift(this.test.deps, member.viewer, gift.token));
    }
  }

  async setTrial(trialDays: number) {
    await changeSettings(this.db, { trialDays }, this.test.clock.now());
  }

  /** Some leave, and pay what pages are still open all the same. */
  async leave(leavers: readonly Member[]) {
    const { dialect } = this.test.deps.database;
    for (const { viewer } of leavers)
      await this.db.transaction().execute(async (tx) => {
        await anonymiseBilling(tx, dialect, viewer.user.id, this.test.clock.now());
        await tx.deleteFrom('users').where('id', '=', viewer.user.id).execute();
      });
    for (const member of leavers)
      for (const { reference } of this.pagesOf(member)) this.company.pay(reference, 'success');
    await this.reconcile();
  }

  /** Nobody asks about these members any more; the next begin with nothing due. */
  async close() {
    await this.db
      .updateTable('provider_subscriptions')
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
