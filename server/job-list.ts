import { renderDemoTrack } from '#demo/render-job.ts';
import type { Deps } from './deps.ts';
import {
  deleteUnusedAvatar,
  sendAccountMessage,
  sendFormerAddressMessage,
  sendPasswordReset,
} from './features/accounts/jobs.ts';
import { startAdminGraces } from './features/accounts/login/administrators.ts';
import { sendEmailLink, sendUndoLink } from './features/accounts/email/email-jobs.ts';
import { sendHelperInvitation, sendInvitation } from './features/accounts/invitations.ts';
import { sendBillingMessage } from './features/billing/billing-mail/send-messages.ts';
import { comeOver } from './features/billing/coming-over/take-over.ts';
import { makeRefundJob } from './features/billing/refunds/make-refund.ts';
import { sendGiftMail, sendGifts } from './features/billing/pay-once/gift-mail.ts';
import { showFileEnd, tellFileChange } from './features/billing/file-ends/jobs.ts';
import { checkPriceChanges, runPriceChange } from './features/billing/prices/jobs.ts';
import { announceEnds } from './features/billing/subscriptions/announce-ends.ts';
import { forgetCardJob } from './features/billing/subscriptions/cards.ts';
import {
  dun,
  renewDue,
  settleOpenPayments,
  watchAccount,
} from './features/billing/subscriptions/jobs.ts';
import { settleReportedPayment } from './features/billing/checkout/webhook-routes.ts';
import { deleteUnusedCover } from './features/catalogue/covers.ts';
import { deleteFiles, purgeDeletedTracks } from './features/catalogue/purge.ts';
import { sendAttentionMail } from './features/attention/attention-mail.ts';
import { pushAttentionNotice } from './features/attention/attention-notice.ts';
import { checkSite } from './features/attention/jobs.ts';
import { cutClip, deleteClipFiles } from './features/clips/jobs.ts';
import { updateCharts } from './features/charts/jobs.ts';
import { forwardEvents } from './features/analytics/jobs.ts';
import { ingestTrack, retagTrack } from './features/ingest/jobs.ts';
import { deleteLookDraft } from './features/look/images.ts';
import { deleteReplacedFile } from './features/ingest/publish-audio.ts';
import { deliverSandboxEvent, settleSandboxPayment } from './features/sandbox-checkout/jobs.ts';
import { importMembers } from './features/member-import/jobs.ts';
import { deleteUnusedPicture } from './features/letters/pictures.ts';
import { sendLetterMail, sendLetters, startLetter } from './features/letters/jobs.ts';
import { announceReleases, sendReleaseMail } from './features/releases/jobs.ts';
import { sendPlayingNow, sendScrobbles, tendScrobbles } from './features/scrobbling/jobs.ts';
import { readReturnedMail } from './features/returned-mail/jobs.ts';
import { sendReleaseNotice } from './features/releases/notices.ts';
import { sendIssueMail } from './features/payment-issues/send-issue-mail.ts';
import { reindexSearch } from './features/search/jobs.ts';
import { sweep } from './features/system/jobs.ts';
import { completeUpload, readUploadTags } from './features/uploads/jobs.ts';
import { sweepUploadedFiles } from './features/uploads/sweep-uploads.ts';
import { makeUsageReport } from './features/usage-reports/jobs.ts';
import { addUpUsage } from './features/usage/jobs.ts';
import type { JobHandler } from './jobs/define-job.ts';

/** Every job of the server. A worker doesn't start if a defined job is missing here. */
export const jobList: readonly JobHandler<Deps>[] = [
  sendPasswordReset,
  sendAccountMessage,
  sendFormerAddressMessage,
  sendEmailLink,
  sendUndoLink,
  sendHelperInvitation,
  sendInvitation,
  importMembers,
  deleteUnusedAvatar,
  startAdminGraces,
  sweep,
  forwardEvents,
  settleReportedPayment,
  renewDue,
  settleOpenPayments,
  dun,
  watchAccount,
  comeOver,
  makeRefundJob,
  forgetCardJob,
  runPriceChange,
  checkPriceChanges,
  tellFileChange,
  showFileEnd,
  announceEnds,
  sendBillingMessage,
  sendGifts,
  sendGiftMail,
  sendIssueMail,
  checkSite,
  sendAttentionMail,
  pushAttentionNotice,
  updateCharts,
  ingestTrack,
  retagTrack,
  deleteReplacedFile,
  cutClip,
  deleteClipFiles,
  reindexSearch,
  announceReleases,
  sendReleaseMail,
  deleteUnusedPicture,
  sendLetters,
  startLetter,
  sendLetterMail,
  sendReleaseNotice,
  readReturnedMail,
  sendScrobbles,
  sendPlayingNow,
  tendScrobbles,
  completeUpload,
  readUploadTags,
  sweepUploadedFiles,
  deleteUnusedCover,
  deleteLookDraft,
  deleteFiles,
  purgeDeletedTracks,
  addUpUsage,
  renderDemoTrack,
  deliverSandboxEvent,
  settleSandboxPayment,
  makeUsageReport,
];
