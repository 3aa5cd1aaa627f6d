export { countFailedAnswers } from './failed-answers.ts';
export { listAttention } from './list-attention.ts';
export { listSampleAttentionMails } from './sample-mails.ts';
export { watchServer } from './server-readings.ts';
export { readAlarmFigures, readChecks } from './site-checks.ts';
