import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { PaymentsError } from '../../ports/payments/payments.ts';

/** For requests that wait for the provider: its failure becomes `provider_unavailable`. */
export async function askProvider<T>({ log }: Deps, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    log.error({ err: error }, 'The payment provider failed or refused.');
    throw new AppError('provider_unavailable');
  }
}
