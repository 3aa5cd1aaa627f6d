export { listAttention } from './list-attention.ts';
export { listSampleAttentionMails } from './sample-mails.ts';
export { readAlarmFigures, readChecks } from './site-checks.ts';
