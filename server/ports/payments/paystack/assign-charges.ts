import type {
  ProviderSubscription,
  ProviderSubscriptionState,
  Calendar,
  Charge,
} from '../payments.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** What Paystack says of a subscription that helps to tell which payments are its own. */
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
  /** When the page of a checkout was begun; null for what Paystack took by itself. */
  begunAt: number | null;
  /** It checked a card and went back: it begins a subscription, but pays for nothing. */
  isCheck: boolean;
};

/** The cards that paid on a subscription, as far as is known: the one it has may be a later one. */
type Cards = Map<Candidate, Set<string>>;

const isUsed = (cards: Cards, candidate: Candidate, authorization: string | null): boolean =>
  authorization !== null && (cards.get(candidate)?.has(authorization) ?? false);

function rankCard(cards: Cards, candidate: Candidate, authorization: string | null): number {
  if (isUsed(cards, candidate, authorization)) return 0;
  return authorization === null || candidate.authorization === null ? 1 : 2;
}

/** Days between a payment and the nearest day on which the subscription is charged. */
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

/** A paid checkout began the first subscription made after it that nobody else's payment began. */
function findBegun(
  { authorization, code, begunAt }: Payment,
  candidates: readonly Candidate[],
  { cards, taken }: { cards: Cards; taken: ReadonlySet<Candidate> },
): Candidate | undefined {
  return candidates
    .filter((candidate) => candidate.code === code && !taken.has(candidate))
    .filter(({ createdAt }) => createdAt >= (begunAt ?? 0) - MINUTE)
    .toSorted(
      (a, b) =>
        rankCard(cards, a, authorization) - rankCard(cards, b, authorization) ||
        a.createdAt - b.createdAt,
    )[0];
}

/** By the card, then the amount, then the day; where all of them are alike it is the last one made. */
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
      const different = a.ranks.findIndex((value, place) => value !== b.ranks[place]);
      return (a.ranks[different] ?? 0) - (b.ranks[different] ?? 0);
    })[0]?.candidate;
}

/**
 * Paystack's payments name a customer, a plan and a card, but no subscription, and its customer is
 * an address, which two members may have had one after the other.
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
  const known = payments
    .filter(({ charge }) => charge.plan !== null)
    .toSorted((a, b) => a.charge.at - b.charge.at);
  const begun = known.filter(({ begunAt, charge }) => begunAt !== null && charge.status === 'paid');
  // Those whose card is still the one go first: what they do not take is left for the others.
  for (const isSure of [true, false])
    for (const payment of begun.filter(({ charge }) => !owners.has(charge.id))) {
      const owner = findBegun(payment, candidates, { cards, taken: new Set(owners.values()) });
      if (!owner || (isSure && !isUsed(cards, owner, payment.authorization))) continue;
      owners.set(payment.charge.id, owner);
      if (payment.authorization !== null) cards.get(owner)?.add(payment.authorization);
    }
  for (const payment of known.filter(({ begunAt }) => begunAt === null)) {
    const owner = findRenewed(payment, candidates, { cards, calendar });
    if (owner) owners.set(payment.charge.id, owner);
  }
  return owners;
}

/** A change of plan is a second subscription, on the same card, that begins where the first one ends. */
function tellChange(
  truth: ProviderSubscriptionState,
  all: readonly ProviderSubscriptionState[],
  isSameCard: (one: string, other: string) => boolean,
): ProviderSubscriptionState {
  const { providerSubscription, charges } = truth;
  if (providerSubscription.status !== 'active' || charges.length > 0) return truth;
  const before = all.find(
    (other) =>
      other.providerSubscription.status === 'ending' &&
      other.providerSubscription.plan !== providerSubscription.plan &&
      isSameCard(other.providerSubscription.id, providerSubscription.id),
  );
  if (!before) return truth;
  return {
    ...truth,
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
    .filter(({ isCheck }) => !isCheck)
    .map(({ charge }) => ({
      ...charge,
      providerSubscriptionId: owners.get(charge.id)?.providerSubscription.id ?? null,
    }))
    .toSorted((a, b) => a.at - b.at);
  const truths = candidates.map(({ providerSubscription }) => ({
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
  return truths.map((truth) => tellChange(truth, truths, isSameCard));
}
