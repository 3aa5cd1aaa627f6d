import type { Config } from '../../config.ts';
import type { Database } from '../../db/connect.ts';
import type { Payments } from './payments.ts';
import { createPaystackPayments } from './paystack/paystack-payments.ts';
import type { SandboxWork } from './sandbox/parts.ts';
import { createSandbox } from './sandbox/sandbox.ts';

type Parts = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
  sandboxWork: SandboxWork;
};

export function createPayments(
  { payments }: Pick<Config, 'payments'>,
  { database, clock, site, sandboxWork: work }: Parts,
): Payments {
  if (payments.provider === 'paystack') return createPaystackPayments(payments, { clock });
  if (payments.provider !== 'sandbox')
    throw new Error(`There is no adapter for PAYMENTS=${payments.provider}.`);
  return createSandbox({ database, clock, site, monthMs: payments.monthMs, work }).payments;
}
