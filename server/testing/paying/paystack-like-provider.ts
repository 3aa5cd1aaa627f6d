import { failure, type ChargeRequest, type PaymentState } from '../../ports/payments/payments.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { FakeProvider, type FakePayment } from './fake-provider.ts';

/** How long a charge may be missing when it is looked up. */
const HIDDEN_MS = 5 * MINUTE;

/**
 * A provider that refuses a reference which it has seen (“Duplicate Transaction Reference”), so that
 * the payment has to be looked up; some appear there only minutes later. It has no card check without
 * money, no ids before the charge, and knows refunds by their amount alone.
 */
export class PaystackLikeProvider extends FakeProvider {
  private charges = 0;

  protected override takeFromCard(request: ChargeRequest): FakePayment {
    const row = super.takeFromCard(request);
    this.charges += 1;
    if (this.charges % 3 === 0) row.visibleAt = this.clock.now() + HIDDEN_MS;
    return row;
  }

  protected override async charge(request: ChargeRequest): Promise<PaymentState> {
    if (this.list.has(request.reference)) {
      const state = this.read(request.reference);
      if (state.status === 'not-found')
        throw failure('Duplicate Transaction Reference, but it can’t be found yet.');
      return state;
    }
    const row = this.takeFromCard(request);
    // The answer to the charge itself has it, even while the list doesn't.
    return Promise.resolve({ ...this.presentNow(row) });
  }

  private presentNow(row: FakePayment): PaymentState {
    const { visibleAt } = row;
    row.visibleAt = 0;
    const state = this.read(row.reference);
    row.visibleAt = visibleAt;
    return state;
  }
}
