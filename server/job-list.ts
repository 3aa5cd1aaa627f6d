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
  endCheckout,
  notePaidSpans,
  reconcilePayments,
  sendBillingMessage,
  settleMember,
  settleNotice,
} from './features/billing/jobs.ts';
import { dropUnusedCover } from './features/catalogue/cover-file.ts';
import { dropFiles, purgeDeletedMixes } from './features/catalogue/purge.ts';
import { drawCharts } from './features/charts/jobs.ts';
import { forwardEvents } from './features/analytics/jobs.ts';
import { ingestTrack, retagTrack } from './features/ingest/jobs.ts';
import { dropReplacedFile } from './features/ingest/replaced-file.ts';
import { deliverSandboxEvent, renewSandboxAgreement } from './features/sandbox-checkout/jobs.ts';
import { announceReleases, sendReleaseMail } from './features/releases/jobs.ts';
import { reindexSearch } from './features/search/jobs.ts';
import { sweep } from './features/system/jobs.ts';
import { completeUpload, readUploadTags } from './features/uploads/jobs.ts';
import { sweepUploadedFiles } from './features/uploads/sweep-uploads.ts';
import type { JobHandler } from './jobs/define-job.ts';

/** Every job of the server. A worker refuses to start when one that exists is missing here. */
export const jobList: readonly JobHandler<Deps>[] = [
  sendPasswordReset,
  sendAccountNotice,
  sendFarewell,
  dropUnusedAvatar,
  sweep,
  forwardEvents,
  settleNotice,
  settleMember,
  reconcilePayments,
  endAgreement,
  endCheckout,
  notePaidSpans,
  sendBillingMessage,
  drawCharts,
  ingestTrack,
  retagTrack,
  dropReplacedFile,
  reindexSearch,
  announceReleases,
  sendReleaseMail,
  completeUpload,
  readUploadTags,
  sweepUploadedFiles,
  dropUnusedCover,
  dropFiles,
  purgeDeletedMixes,
  renderDemoMix,
  deliverSandboxEvent,
  renewSandboxAgreement,
];
