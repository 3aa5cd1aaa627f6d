import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { PaymentsError } from '../../ports/payments/payments.ts';

/** Somebody waits for the answer: what the provider cannot do now is said so, and tried again later. */
export async function askProvider<T>({ log }: Deps, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    log.error({ err: error }, 'The payment provider did not do what it was asked.');
    throw new AppError('provider_unavailable');
  }
}
