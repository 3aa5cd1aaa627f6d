import { baseline } from '../baseline/baseline.ts';
import { sandboxLikeACompany } from './0002-sandbox-like-a-company.ts';
import { paymentIssues } from './0003-payment-issues.ts';
import { keptSubscriptions } from './0004-kept-subscriptions.ts';
import { taxInvoices } from './0005-tax-invoices.ts';
import { legal } from './0006-legal.ts';
import { priceChanges } from './0007-price-changes.ts';
import { refundRequests } from './0008-refund-requests.ts';
import { catalogueVersion } from './0009-catalogue-version.ts';
import { playVersion } from './0010-play-version.ts';
import type { Migration } from './migration.ts';

/** In the order they run. A new one goes to the end. */
export const migrations: readonly Migration[] = [
  baseline,
  sandboxLikeACompany,
  paymentIssues,
  keptSubscriptions,
  taxInvoices,
  legal,
  priceChanges,
  refundRequests,
  catalogueVersion,
  playVersion,
];
