import type { Check } from './week.ts';

/** What people call what the site looks at. */
export const CHECK_NAMES: Record<Check['kind'], string> = {
  mail: 'E-mail',
  disk: 'Disk',
  backup: 'Backup',
  jobs: 'Jobs',
  certificate: 'Certificate',
  clock: 'Clock',
  errors: 'Errors',
  payments: 'Payments that are due',
};
