import type { Config } from '../../config.ts';
import type { Payments } from './payments.ts';
import { createPaystackPayments } from './paystack/paystack-payments.ts';
import type { SandboxParts, SandboxWork } from './sandbox/parts.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createStripePayments } from './stripe/stripe-payments.ts';

type Parts = Omit<SandboxParts, 'calendar' | 'work'> & { sandboxWork: SandboxWork };

export function createPayments(
  { payments }: Pick<Config, 'payments'>,
  { database, clock, site, sandboxWork: work }: Parts,
): Payments {
  switch (payments.provider) {
    case 'paystack':
      return createPaystackPayments(payments, { clock });
    case 'stripe':
      return createStripePayments(payments, { clock });
    case 'sandbox':
      return createSandbox({ database, clock, site, monthMs: payments.monthMs, work }).payments;
  }
}
