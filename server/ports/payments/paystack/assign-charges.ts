import type {
  ProviderSubscription,
  ProviderSubscriptionState,
  Calendar,
  Charge,
} from '../payments.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** The data of a Paystack subscription that helps to find its payments. */
export type Candidate = {
  providerSubscription: ProviderSubscription;
  code: string | null;
  amount: number;
  authorization: string | null;
  createdAt: number;
};

export type Payment = {
  charge: Charge;
  code: string | null;
  authorization: string | null;
  /** It was paid on a checkout page; otherwise it is a renewal. */
  isOfCheckout: boolean;
  /** The subscription whose missed payment we charged. */
  owedBy: string | null;
  /** It only checked the card and was refunded: it starts a subscription, but pays for nothing. */
  isCardCheck: boolean;
};

/** The known cards of each subscription; its current card may be newer than a payment. */
type Cards = Map<Candidate, Set<string>>;

const isUsed = (cards: Cards, candidate: Candidate, authorization: string | null): boolean =>
  authorization !== null && (cards.get(candidate)?.has(authorization) ?? false);

function rankCard(cards: Cards, candidate: Candidate, authorization: string | null): number {
  if (isUsed(cards, candidate, authorization)) return 0;
  return authorization === null || candidate.authorization === null ? 1 : 2;
}

/** Days between a payment and the nearest due date of the subscription. */
function countDaysOff(
  { providerSubscription, createdAt }: Candidate,
  at: number,
  calendar: Calendar,
): number {
  const plan = providerSubscription.plan ?? 'monthly';
  const months = plan === 'annual' ? 12 : 1;
  const anchor = providerSubscription.nextChargeAt ?? createdAt;
  const period = calendar.addPeriod(anchor, plan) - anchor;
  const around = Math.round((at - anchor) / period);
  const days = [around - 1, around, around + 1].map(
    (count) => Math.abs(at - calendar.addMonths(anchor, count * months)) / DAY,
  );
  return Math.round(Math.min(...days));
}

/** Paystack, or we, create the subscription of a paid checkout within this time. */
const CREATION_MS = 3 * DAY;

/** Long after a payment only the same card counts as proof, and not if the payment was refunded. */
function canStart(
  { charge, code, isCardCheck }: Payment,
  candidate: Candidate,
  isSure: boolean,
): boolean {
  const delay = candidate.createdAt - charge.at;
  if (candidate.code !== code || delay < -MINUTE) return false;
  const isKept = isCardCheck || charge.refunded < charge.amount;
  return delay <= CREATION_MS || (isSure && isKept);
}

/** The checkout that created a subscription is the last one paid before it that created no other. */
function findStarting(
  candidate: Candidate,
  payments: readonly Payment[],
  { cards, isSure }: { cards: Cards; isSure: boolean },
): Payment | undefined {
  const rank = ({ authorization }: Payment) => rankCard(cards, candidate, authorization);
  return payments
    .filter((payment) => canStart(payment, candidate, isSure) && (!isSure || rank(payment) === 0))
    .toSorted((a, b) => rank(a) - rank(b) || b.charge.at - a.charge.at)[0];
}

/** By card, then amount, then date; if all are equal, the newest subscription. */
function findRenewed(
  { charge, authorization, code }: Payment,
  candidates: readonly Candidate[],
  { cards, calendar }: { cards: Cards; calendar: Calendar },
): Candidate | undefined {
  const rank = (candidate: Candidate): number[] => [
    rankCard(cards, candidate, authorization),
    candidate.amount === charge.amount ? 0 : 1,
    countDaysOff(candidate, charge.at, calendar),
    -candidate.createdAt,
  ];
  return candidates
    .filter((candidate) => candidate.code === code && candidate.createdAt <= charge.at + MINUTE)
    .map((candidate) => ({ candidate, ranks: rank(candidate) }))
    .toSorted((a, b) => {
      const different = a.ranks.findIndex((value, index) => value !== b.ranks[index]);
      return (a.ranks[different] ?? 0) - (b.ranks[different] ?? 0);
    })[0]?.candidate;
}

/**
 * Paystack's payments name a customer, a plan and a card, but no subscription. Its customers are
 * e-mail addresses, which two users may have had one after the other.
 */
export function findOwners(
  candidates: readonly Candidate[],
  payments: readonly Payment[],
  calendar: Calendar,
): Map<string, Candidate> {
  const cards: Cards = new Map(
    candidates.map((candidate) => [
      candidate,
      new Set(candidate.authorization === null ? [] : [candidate.authorization]),
    ]),
  );
  const owners = new Map<string, Candidate>();
  const ours = payments
    .filter(({ charge }) => charge.plan !== null)
    .toSorted((a, b) => a.charge.at - b.charge.at);
  const isStarting = ({ isOfCheckout, charge }: Payment) =>
    isOfCheckout && charge.status === 'paid' && !owners.has(charge.id);
  const byAge = candidates.toSorted((one, other) => one.createdAt - other.createdAt);
  // Payments whose card still matches go first; the others get what is left.
  for (const isSure of [true, false])
    for (const candidate of byAge) {
      if ([...owners.values()].includes(candidate)) continue;
      const payment = findStarting(candidate, ours.filter(isStarting), { cards, isSure });
      if (!payment) continue;
      owners.set(payment.charge.id, candidate);
      if (payment.authorization !== null) cards.get(candidate)?.add(payment.authorization);
    }
  for (const payment of ours.filter(({ isOfCheckout }) => !isOfCheckout)) {
    const owner =
      candidates.find(({ providerSubscription }) => providerSubscription.id === payment.owedBy) ??
      findRenewed(payment, candidates, { cards, calendar });
    if (owner) owners.set(payment.charge.id, owner);
  }
  return owners;
}

/** The running period's subscription: the last one paid, or the first one if none is. */
function findRunning(
  states: readonly ProviderSubscriptionState[],
): ProviderSubscriptionState | undefined {
  const lastPaidAt = ({ charges }: ProviderSubscriptionState) =>
    charges.findLast(({ status }) => status === 'paid')?.at ?? 0;
  return states.toSorted((a, b) => lastPaidAt(b) - lastPaidAt(a))[0];
}

/** A plan change is a second subscription on the same card that starts when the first one ends. */
function markPlanChange(
  state: ProviderSubscriptionState,
  others: readonly ProviderSubscriptionState[],
): ProviderSubscriptionState {
  const { providerSubscription, charges } = state;
  if (providerSubscription.status !== 'active' || charges.length > 0) return state;
  const before = findRunning(
    others.filter((other) => other.providerSubscription.status === 'ending'),
  )?.providerSubscription;
  if (!before || before.plan === providerSubscription.plan) return state;
  return {
    ...state,
    providerSubscription: {
      ...providerSubscription,
      plan: before.plan,
      nextPlan: providerSubscription.plan,
    },
  };
}

/** Paystack calls a subscription late until its next date, even if we have charged what was owed. */
function markPaid(
  state: ProviderSubscriptionState,
  owed: ReadonlySet<string>,
  calendar: Calendar,
): ProviderSubscriptionState {
  const { providerSubscription, charges } = state;
  const { status, nextChargeAt, plan } = providerSubscription;
  if (status !== 'late') return state;
  const failed = charges.findLast((charge) => charge.status === 'failed' && !owed.has(charge.id));
  const months = plan === 'annual' ? -12 : -1;
  const since =
    failed?.at ?? (nextChargeAt === null ? Infinity : calendar.addMonths(nextChargeAt, months));
  const isPaid = charges.some(
    (charge) =>
      owed.has(charge.id) &&
      charge.status === 'paid' &&
      charge.at >= since &&
      charge.refunded < charge.amount,
  );
  return isPaid
    ? { ...state, providerSubscription: { ...providerSubscription, status: 'active' } }
    : state;
}

export function assignCharges(
  candidates: readonly Candidate[],
  payments: readonly Payment[],
  calendar: Calendar,
): ProviderSubscriptionState[] {
  const owners = findOwners(candidates, payments, calendar);
  const owned = payments
    .filter(({ isCardCheck }) => !isCardCheck)
    .map(({ charge }) => ({
      ...charge,
      providerSubscriptionId: owners.get(charge.id)?.providerSubscription.id ?? null,
    }))
    .toSorted((a, b) => a.at - b.at);
  const owed = new Set(
    payments.filter(({ owedBy }) => owedBy !== null).map(({ charge }) => charge.id),
  );
  const states = candidates
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((candidate) => {
      const { providerSubscription } = candidate;
      const charges = owned.filter(
        ({ providerSubscriptionId }) => providerSubscriptionId === providerSubscription.id,
      );
      return { candidate, state: markPaid({ providerSubscription, charges }, owed, calendar) };
    });
  const isSameCard = (one: Candidate, other: Candidate) =>
    one.authorization === null ||
    other.authorization === null ||
    one.authorization === other.authorization;
  return states.map(({ candidate, state }) =>
    markPlanChange(
      state,
      states
        .filter((other) => other.state !== state && isSameCard(other.candidate, candidate))
        .map((other) => other.state),
    ),
  );
}
