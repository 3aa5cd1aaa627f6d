import { renderDemoMix } from '#demo/render-job.ts';
import type { Deps } from './deps.ts';
import {
  dropUnusedAvatar,
  sendAccountNotice,
  sendFarewell,
  sendPasswordReset,
} from './features/accounts/jobs.ts';
import {
  endAgreement,
  reconcilePayments,
  sendBillingMessage,
  settleMember,
  settleNotice,
} from './features/billing/jobs.ts';
import { drawCharts } from './features/charts/jobs.ts';
import { ingestTrack, retagTrack } from './features/ingest/jobs.ts';
import { dropReplacedFile } from './features/ingest/replaced-file.ts';
import { deliverSandboxEvent, renewSandboxAgreement } from './features/sandbox-checkout/jobs.ts';
import { reindexSearch } from './features/search/jobs.ts';
import { sweep } from './features/system/jobs.ts';
import type { JobHandler } from './jobs/define-job.ts';

/** Every job of the server. A worker refuses to start when one that exists is missing here. */
export const jobList: readonly JobHandler<Deps>[] = [
  sendPasswordReset,
  sendAccountNotice,
  sendFarewell,
  dropUnusedAvatar,
  sweep,
  settleNotice,
  settleMember,
  reconcilePayments,
  endAgreement,
  sendBillingMessage,
  drawCharts,
  ingestTrack,
  retagTrack,
  dropReplacedFile,
  reindexSearch,
  renderDemoMix,
  deliverSandboxEvent,
  renewSandboxAgreement,
];
