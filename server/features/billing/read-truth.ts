import type { Db } from '../../db/connect.ts';
import {
  PaymentsError,
  type AgreementTruth,
  type CheckoutTruth,
  type Payments,
} from '../../ports/payments/payments.ts';
import { listForeignAgreements, listUsersOfCustomer } from './queries.ts';
import type { Known, Truth } from './truth.ts';
import { DAY } from '#contract/rules/time.ts';

/** What a webhook, or a page that came back, is about. */
export type Hints = {
  references?: readonly string[];
  agreementIds?: readonly string[];
  customerIds?: readonly string[];
};

/** Whoever left that many pages open is not asked about all of them each time. */
const MOST_OPEN = 10;
/** A payment of the day after tomorrow is nonsense, or our own clock is. */
const MOST_AHEAD_MS = 2 * DAY;

type CheckoutTruths = ReadonlyMap<string, CheckoutTruth>;

const distinct = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== null && text !== undefined)),
];

async function readCheckouts(payments: Payments, known: Known, hints: Hints) {
  const open = known.checkouts.filter(({ state }) => state === 'open').slice(0, MOST_OPEN);
  const hinted = known.checkouts.filter(({ reference }) => hints.references?.includes(reference));
  const truths = new Map<string, CheckoutTruth>();
  for (const { reference, checkout_id, provider } of new Set([...open, ...hinted]))
    if (provider === payments.name)
      truths.set(reference, await payments.readCheckout(reference, checkout_id));
  return truths;
}

/** What the provider has forgotten must not keep us from hearing of the rest. */
async function askIfKnown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PaymentsError && error.isLasting) return null;
    throw error;
  }
}

async function readAgreements(
  payments: Payments,
  known: Known,
  checkouts: readonly CheckoutTruth[],
  hints: Hints,
): Promise<{ found: AgreementTruth[]; missing: Set<string> }> {
  const own = known.agreements.filter(({ provider }) => provider === payments.name);
  const customers = distinct([
    ...own.map(({ customer_id }) => customer_id),
    ...checkouts.map(({ customerId }) => customerId),
    ...(hints.customerIds ?? []),
  ]);
  const found = new Map<string, AgreementTruth>();
  for (const customer of customers)
    for (const truth of (await askIfKnown(() => payments.listAgreements(customer))) ?? [])
      found.set(truth.agreement.id, truth);
  const named = distinct([
    ...own.filter(({ status }) => status !== 'ended').map(({ agreement_id }) => agreement_id),
    ...own.filter(({ status }) => status !== 'ended').map(({ replaced_by }) => replaced_by),
    ...checkouts.map(({ agreementId }) => agreementId),
    ...(hints.agreementIds ?? []),
  ]);
  const missing = new Set<string>();
  for (const id of named) {
    if (found.has(id)) continue;
    const truth = await askIfKnown(() => payments.readAgreement(id));
    if (truth) found.set(id, truth);
    else missing.add(id);
  }
  return { found: [...found.values()], missing };
}

/** Some providers know people by their address alone, and an address may have changed hands. */
async function dropForeign(
  db: Db,
  payments: Payments,
  { userId, known }: { userId: string; known: Known },
  { checkouts, truths }: { checkouts: CheckoutTruths; truths: readonly AgreementTruth[] },
): Promise<AgreementTruth[]> {
  const ids = truths.map(({ agreement }) => agreement.id);
  const foreign = await listForeignAgreements(db, payments.name, ids, userId);
  const customers = distinct(truths.map(({ agreement }) => agreement.customerId));
  const shared = new Set<string>();
  for (const customer of customers) {
    const users = await listUsersOfCustomer(db, payments.name, customer);
    if (users.some((id) => id !== userId)) shared.add(customer);
  }
  const own = new Set([
    ...known.agreements.map(({ agreement_id }) => agreement_id),
    ...known.agreements.map(({ replaced_by }) => replaced_by),
    ...known.checkouts.map(({ agreement_id }) => agreement_id),
    ...[...checkouts.values()].map(({ agreementId }) => agreementId),
  ]);
  const references = new Set(known.checkouts.map(({ reference }) => reference));
  return truths.filter(({ agreement, charges }) => {
    if (foreign.includes(agreement.id)) return false;
    if (!shared.has(agreement.customerId) || own.has(agreement.id)) return true;
    return charges.some(({ reference }) => reference !== null && references.has(reference));
  });
}

function refuseNonsense(truth: Truth, now: number) {
  const charges = [
    ...truth.agreements.flatMap((said) => said.charges),
    ...[...truth.checkouts.values()].flatMap(({ charge }) => charge ?? []),
  ];
  if (charges.every(({ at }) => at <= now + MOST_AHEAD_MS)) return;
  throw new PaymentsError(
    'The provider tells of a payment in the future. Nothing is believed until the clocks agree.',
    { isLasting: false },
  );
}

/** Everything the provider knows of a member, asked for now. */
export async function readTruth(
  { db, payments, now }: { db: Db; payments: Payments; now: number },
  member: { userId: string; known: Known },
  hints: Hints,
): Promise<Truth> {
  const checkouts = await readCheckouts(payments, member.known, hints);
  const read = await readAgreements(payments, member.known, [...checkouts.values()], hints);
  const said = { checkouts, truths: read.found };
  const agreements = await dropForeign(db, payments, member, said);
  const truth = { checkouts, agreements, missing: read.missing };
  refuseNonsense(truth, now);
  return truth;
}
