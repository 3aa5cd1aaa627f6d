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
  /** When the checkout was started; null for renewals that Paystack charged itself. */
  checkoutStartedAt: number | null;
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

/** A paid checkout started the first subscription created after it that no other payment started. */
function findStarted(
  { authorization, code, checkoutStartedAt }: Payment,
  candidates: readonly Candidate[],
  { cards, assigned }: { cards: Cards; assigned: ReadonlySet<Candidate> },
): Candidate | undefined {
  return candidates
    .filter((candidate) => candidate.code === code && !assigned.has(candidate))
    .filter(({ createdAt }) => createdAt >= (checkoutStartedAt ?? 0) - MINUTE)
    .toSorted(
      (a, b) =>
        rankCard(cards, a, authorization) - rankCard(cards, b, authorization) ||
        a.createdAt - b.createdAt,
    )[0];
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
    .filter((candidate) => candidate.code === code && candidate.createdAt <= charge.at + DAY)
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
  const started = ours.filter(
    ({ checkoutStartedAt, charge }) => checkoutStartedAt !== null && charge.status === 'paid',
  );
  // Payments whose card still matches go first; the others get what is left.
  for (const isSure of [true, false])
    for (const payment of started.filter(({ charge }) => !owners.has(charge.id))) {
      const owner = findStarted(payment, candidates, { cards, assigned: new Set(owners.values()) });
      if (!owner || (isSure && !isUsed(cards, owner, payment.authorization))) continue;
      owners.set(payment.charge.id, owner);
      if (payment.authorization !== null) cards.get(owner)?.add(payment.authorization);
    }
  for (const payment of ours.filter(({ checkoutStartedAt }) => checkoutStartedAt === null)) {
    const owner = findRenewed(payment, candidates, { cards, calendar });
    if (owner) owners.set(payment.charge.id, owner);
  }
  return owners;
}

/** A plan change is a second subscription on the same card that starts when the first one ends. */
function markPlanChange(
  state: ProviderSubscriptionState,
  all: readonly ProviderSubscriptionState[],
  isSameCard: (one: string, other: string) => boolean,
): ProviderSubscriptionState {
  const { providerSubscription, charges } = state;
  if (providerSubscription.status !== 'active' || charges.length > 0) return state;
  const before = all.find(
    (other) =>
      other.providerSubscription.status === 'ending' &&
      other.providerSubscription.plan !== providerSubscription.plan &&
      isSameCard(other.providerSubscription.id, providerSubscription.id),
  );
  if (!before) return state;
  return {
    ...state,
    providerSubscription: {
      ...providerSubscription,
      plan: before.providerSubscription.plan,
      nextPlan: providerSubscription.plan,
    },
  };
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
  const states = candidates.map(({ providerSubscription }) => ({
    providerSubscription,
    charges: owned.filter(
      ({ providerSubscriptionId }) => providerSubscriptionId === providerSubscription.id,
    ),
  }));
  const cardOf = new Map(
    candidates.map(({ providerSubscription, authorization }) => [
      providerSubscription.id,
      authorization,
    ]),
  );
  const isSameCard = (one: string, other: string) => {
    const [first, second] = [cardOf.get(one) ?? null, cardOf.get(other) ?? null];
    return first === null || second === null || first === second;
  };
  return states.map((state) => markPlanChange(state, states, isSameCard));
}
