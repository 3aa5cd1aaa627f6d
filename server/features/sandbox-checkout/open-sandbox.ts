import type { Config } from '../../config.ts';
import type { Database } from '../../db/connect.ts';
import { createSandbox, type Sandbox } from '../../ports/payments/sandbox/sandbox.ts';
import type { SandboxWork } from '../../ports/payments/sandbox/parts.ts';

/** What the sandbox's own pages and jobs need; the server's deps have it. */
export type SandboxDeps = {
  config: Pick<Config, 'payments'>;
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  site: { origin: string };
};

/** The same company as behind the port, seen from inside: all it knows is in its tables. */
export const openSandbox = (
  { config, database, clock, site }: SandboxDeps,
  work: SandboxWork,
): Sandbox => {
  const monthMs = config.payments.provider === 'sandbox' ? config.payments.monthMs : null;
  return createSandbox({ database, clock, site, monthMs, work });
};
