import type { AgreementTruth, Charge } from '../../ports/payments/payments.ts';
import { findCurrent } from './present-subscription.ts';
import { newEvent, type NewEvent } from './ledger-event.ts';
import type { AgreementRow, CheckoutRow } from './queries.ts';
import { addTerms, readTerms } from './terms.ts';
import type { Known, Moment, Truth } from './truth.ts';

const isRenewing = ({ status }: AgreementRow): boolean => status === 'active' || status === 'late';

/** The checkout that made an agreement: by its own word, by a payment's, or the only one that fits. */
function findOrigin(
  checkouts: readonly CheckoutRow[],
  { agreement }: AgreementTruth,
  charges: readonly Charge[],
): CheckoutRow | null {
  const references = charges
    .filter(({ agreementId }) => agreementId === agreement.id)
    .map(({ reference }) => reference);
  return (
    checkouts.find(({ agreement_id }) => agreement_id === agreement.id) ??
    checkouts.find(({ reference }) => references.includes(reference)) ??
    checkouts.find(
      (row) =>
        row.state === 'paid' &&
        row.agreement_id === null &&
        row.customer_id === agreement.customerId &&
        row.plan === agreement.plan,
    ) ??
    null
  );
}

/** Since when a payment is missing, and what the provider says of it. */
function findProblem(
  { agreement }: AgreementTruth,
  charges: readonly Charge[],
  before: AgreementRow,
) {
  if (agreement.status !== 'late') return { problem_since: null, problem: null };
  const own = charges.filter(({ agreementId }) => agreementId === agreement.id);
  const lastPaid = own.findLast(({ status }) => status === 'paid')?.at ?? 0;
  const failed = own.filter(({ status, at }) => status === 'failed' && at > lastPaid);
  return {
    problem_since: failed[0]?.at ?? before.problem_since ?? before.updated_at,
    problem: failed.at(-1)?.failure ?? before.problem,
  };
}

function createRow(
  { agreement }: AgreementTruth,
  origin: CheckoutRow | null,
  known: Known,
  charges: readonly Charge[],
  { now, provider }: Moment,
): AgreementRow {
  const agreed = known.agreements.flatMap(({ terms }) => readTerms(terms));
  const first = origin ? [{ plan: origin.plan, amount: origin.renewal_amount }] : [];
  const firstCharge = charges.find(({ agreementId }) => agreementId === agreement.id);
  return {
    id: `${provider}:${agreement.id}`,
    provider,
    agreement_id: agreement.id,
    user_id: origin?.user_id ?? known.agreements[0]?.user_id ?? null,
    customer_id: agreement.customerId,
    reference: origin?.reference ?? null,
    plan: agreement.plan ?? origin?.plan ?? 'monthly',
    next_plan: null,
    status: 'active',
    terms: JSON.stringify(origin ? first : addTerms(agreed, first)),
    next_charge_at: null,
    next_amount: null,
    card: null,
    problem_since: null,
    problem: null,
    changing_to: null,
    replaced_by: null,
    is_duplicate: 0,
    started_at: firstCharge?.at ?? origin?.created_at ?? now,
    check_at: now,
    updated_at: now,
  };
}

function updateRow(
  row: AgreementRow,
  truth: AgreementTruth,
  charges: readonly Charge[],
): AgreementRow {
  const { agreement } = truth;
  const plan = agreement.plan ?? row.plan;
  const nextPlan = agreement.nextPlan === agreement.plan ? null : agreement.nextPlan;
  return {
    ...row,
    ...findProblem(truth, charges, row),
    customer_id: agreement.customerId,
    plan,
    next_plan: nextPlan,
    changing_to: row.changing_to === (nextPlan ?? plan) ? null : row.changing_to,
    status: agreement.status,
    next_charge_at: agreement.nextChargeAt,
    next_amount: agreement.nextAmount,
    card: agreement.card === null ? row.card : JSON.stringify(agreement.card),
  };
}

/** A change of plan that stopped half-way: the agreement that came of it stands for the old one. */
function markReplaced(rows: Map<string, AgreementRow>, created: readonly AgreementRow[]): boolean {
  let hasReplaced = false;
  for (const next of created) {
    if (next.reference !== null) continue;
    const old = [...rows.values()].find(
      (row) =>
        row.id !== next.id && row.provider === next.provider && row.changing_to === next.plan,
    );
    if (!old) continue;
    rows.set(old.id, { ...old, changing_to: null, replaced_by: next.agreement_id });
    hasReplaced = true;
  }
  return hasReplaced;
}

/** One whose checkout was paid with something that was not agreed to gives nothing and goes back. */
const findRefused = (rows: readonly AgreementRow[], checkouts: readonly CheckoutRow[]) =>
  rows.filter(
    ({ is_duplicate, reference }) =>
      is_duplicate === 0 &&
      checkouts.some((row) => row.state === 'refused' && row.reference === reference),
  );

/** One that the provider has forgotten charges nobody any more. */
function endMissing(
  rows: Map<string, AgreementRow>,
  missing: ReadonlySet<string> | undefined,
  provider: string,
) {
  for (const row of rows.values())
    if (row.provider === provider && row.status !== 'ended' && missing?.has(row.agreement_id))
      rows.set(row.id, { ...row, status: 'ended', next_charge_at: null, next_amount: null });
}

/**
 * Two that renew beside each other: the younger is one too many, and so is one whose payments fail
 * while another's do not. One that ends by itself, or has been replaced, is in nobody's way.
 */
function findDuplicates(rows: readonly AgreementRow[], provider: string): AgreementRow[] {
  const renewing = rows
    .filter((row) => row.provider === provider && row.is_duplicate === 0)
    .filter((row) => row.replaced_by === null && isRenewing(row))
    .toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
  const kept = renewing.find(({ status }) => status === 'active') ?? renewing[0];
  return renewing.filter((row) => row !== kept);
}

const isRunning = (row: AgreementRow | null): row is AgreementRow =>
  row !== null && row.status !== 'ended';

/** What has become of the subscription as a whole, whichever agreement carries it now. */
function* tellChanges(
  before: readonly AgreementRow[],
  after: readonly AgreementRow[],
  { now, provider }: Moment,
): Generator<NewEvent> {
  const [old, current] = [findCurrent(before, provider), findCurrent(after, provider)];
  if (!current) return;
  const facts = { provider, agreement_id: current.agreement_id, plan: current.plan };
  if (isRunning(current) && !isRunning(old))
    yield newEvent('subscribed', current.started_at, `The ${current.plan} plan began.`, facts);
  if (!isRunning(old)) return;
  const [wasEnding, isEnding] = [old.status === 'ending', current.status === 'ending'];
  if (isRunning(current) && !wasEnding && isEnding)
    yield newEvent('cancelled', now, 'The subscription is not renewed any more.', facts);
  if (isRunning(current) && wasEnding && !isEnding)
    yield newEvent('resumed', now, 'The subscription is renewed again.', facts);
  const [oldPlan, plan] = [old.next_plan ?? old.plan, current.next_plan ?? current.plan];
  if (isRunning(current) && plan !== oldPlan)
    yield newEvent('plan-changed', now, `From the next payment on the plan is ${plan}.`, facts);
  if (current.status === 'ended')
    yield newEvent('ended', now, 'The provider has ended the agreement.', facts);
}

const isSame = (a: AgreementRow | undefined, b: AgreementRow): boolean =>
  a !== undefined && JSON.stringify(a) === JSON.stringify(b);

export function convergeAgreements(
  known: Known,
  truth: Truth,
  charges: readonly Charge[],
  moment: Moment,
): {
  agreements: AgreementRow[];
  duplicates: AgreementRow[];
  hasReplaced: boolean;
  changes: NewEvent[];
} {
  const created: AgreementRow[] = [];
  const rows = new Map(known.agreements.map((row) => [row.id, row]));
  for (const said of truth.agreements) {
    const seen = rows.get(`${moment.provider}:${said.agreement.id}`);
    const origin = seen ? null : findOrigin(known.checkouts, said, charges);
    // Nobody here agreed to it: not of this member, or begun by hand at the provider.
    if (!seen && !origin && known.agreements.length === 0) continue;
    const row = seen ?? createRow(said, origin, known, charges, moment);
    const updated = updateRow(row, said, charges);
    rows.set(row.id, updated);
    if (!seen) created.push(updated);
  }
  endMissing(rows, truth.missing, moment.provider);
  const hasReplaced = markReplaced(rows, created);
  const refused = findRefused([...rows.values()], known.checkouts);
  for (const row of refused) rows.set(row.id, { ...row, is_duplicate: 1 });
  const duplicates = findDuplicates([...rows.values()], moment.provider);
  for (const row of duplicates) rows.set(row.id, { ...row, is_duplicate: 1 });
  const after = [...rows.values()];
  const doubled = duplicates.map((row) =>
    newEvent(
      'duplicate',
      moment.now,
      'A second subscription was paid for beside the first; it is cancelled and paid back.',
      { provider: moment.provider, agreement_id: row.agreement_id, plan: row.plan },
    ),
  );
  const before = new Map(known.agreements.map((row) => [row.id, row]));
  return {
    agreements: after
      .filter((row) => !isSame(before.get(row.id), row))
      .map((row) => ({ ...row, updated_at: moment.now })),
    duplicates: [...refused, ...duplicates],
    hasReplaced,
    changes: [...doubled, ...tellChanges(known.agreements, after, moment)],
  };
}
