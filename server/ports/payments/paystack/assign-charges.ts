import type { Agreement, AgreementTruth, Charge } from '../payments.ts';

/** The first payment comes before its subscription, by seconds, or by the time we took to ask. */
const DAY = 24 * 60 * 60 * 1000;

export type DatedAgreement = { agreement: Agreement; createdAt: number };

/**
 * Paystack's payments name a customer and a plan, but no subscription: of those with this plan it is
 * the last that existed by then.
 */
function findOwner(charge: Charge, dated: readonly DatedAgreement[]): string | null {
  const candidates = dated
    .filter(({ agreement }) => agreement.plan !== null && agreement.plan === charge.plan)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const owner = candidates.findLast(({ createdAt }) => createdAt <= charge.at + DAY);
  return (owner ?? candidates[0])?.agreement.id ?? null;
}

/** A change of plan is a second subscription that begins where the first one ends. */
function tellChange(truth: AgreementTruth, all: readonly AgreementTruth[]): AgreementTruth {
  const { agreement, charges } = truth;
  if (agreement.status !== 'active' || charges.length > 0) return truth;
  const before = all.find(
    (other) => other.agreement.status === 'ending' && other.agreement.plan !== agreement.plan,
  );
  if (!before) return truth;
  return {
    ...truth,
    agreement: { ...agreement, plan: before.agreement.plan, nextPlan: agreement.plan },
  };
}

export function assignCharges(
  dated: readonly DatedAgreement[],
  charges: readonly Charge[],
): AgreementTruth[] {
  const owned = charges
    .map((charge) => ({ ...charge, agreementId: findOwner(charge, dated) }))
    .toSorted((a, b) => a.at - b.at);
  const truths = dated.map(({ agreement }) => ({
    agreement,
    charges: owned.filter(({ agreementId }) => agreementId === agreement.id),
  }));
  return truths.map((truth) => tellChange(truth, truths));
}
