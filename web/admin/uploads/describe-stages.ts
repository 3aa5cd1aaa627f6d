import { formatFileSize, formatDayAndTime } from '#contract/rules/format.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import type { Sending } from './upload-queue.ts';
import { describeTimeLeft } from './upload-speed.ts';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';

export type Stage = { label: string; state: 'todo' | 'now' | 'done' | 'bad'; share: number };
type UploadView = { stages: Stage[]; note: string };

const todo = (label: string): Stage => ({ label, state: 'todo', share: 0 });
const done = (label: string): Stage => ({ label, state: 'done', share: 1 });
const now = (label: string, share: number): Stage => ({ label, state: 'now', share });
const bad = (label: string): Stage => ({ label, state: 'bad', share: 1 });
const percent = (share: number) => `${Math.floor(share * 100)}%`;

const LATER = ['Analysed', 'Preview cut', 'Published'].map(todo);

function describeSending(sending: Sending): UploadView {
  const { sent, size, phase, speed, failure } = sending;
  const share = size === 0 ? 0 : sent / size;
  const amount = `${formatFileSize(sent)} of ${formatFileSize(size)}`;
  if (phase === 'failed') return { stages: [bad('Stopped'), ...LATER], note: failure ?? '' };
  if (phase === 'paused')
    return {
      stages: [now(`Paused at ${percent(share)}`, share), ...LATER],
      note: `${amount} uploaded. Will resume from here`,
    };
  if (phase === 'waiting') return { stages: [now('Waiting', share), ...LATER], note: 'Queued' };
  const left = describeTimeLeft(size - sent, speed);
  const pace = speed ? `${formatFileSize(speed)}/s` : null;
  return {
    stages: [now(`Uploading ${percent(share)}`, share), ...LATER],
    note: [amount, pace, left].filter(Boolean).join(', '),
  };
}

function describeRelease(publishAt: number | null, timeZone: string, at: number): string {
  if (publishAt === null) return 'Draft. Not visible until you publish.';
  const when = formatDayAndTime(publishAt, timeZone);
  return publishAt > at ? `Scheduled: ${when}` : `Published: ${when}`;
}

type Clock = { timeZone: string; now: number };

function describeTrack(
  track: NonNullable<Upload['track']>,
  { timeZone, now: at }: Clock,
): UploadView {
  const { stages, progress, failure, publishAt, state } = track;
  const release = describeRelease(publishAt, timeZone, at);
  const uploaded = done('Uploaded');
  const has = (stage: string) => stages.includes(stage);
  if (state === 'failed')
    return {
      stages: [uploaded, bad('Failed'), todo('Preview cut'), todo('Published')],
      note: failure ?? '',
    };
  if (!has('analysis'))
    return {
      stages: [uploaded, now('Analysing', progress / 100), todo('Preview cut'), todo('Published')],
      note: `Measuring loudness and drawing the waveform. ${release}`,
    };
  if (state === 'processing')
    return {
      stages: [
        uploaded,
        done('Analysed'),
        has('preview') ? done('Preview cut') : now('Cutting preview', 0.5),
        has('preview') ? now(`Encoding ${progress}%`, progress / 100) : todo('Published'),
      ],
      note: has('preview')
        ? `Encoding. ${release}`
        : `Finding the loudest ${PREVIEW_LENGTH_TEXT}. ${release}`,
    };
  const last =
    state === 'published' ? done('Published') : todo(state === 'scheduled' ? 'Scheduled' : 'Draft');
  const note = failure ? `${failure} ${release}` : release;
  return { stages: [uploaded, done('Analysed'), done('Preview cut'), last], note };
}

/** The four stages of a row, and a note about the current one. */
export function describeUpload(
  upload: Upload | null,
  sending: Sending | null,
  clock: Clock,
): UploadView {
  const isUploading = !upload || upload.state === 'uploading';
  if (sending && isUploading && sending.phase !== 'sent') return describeSending(sending);
  if (!upload) return { stages: [done('Uploaded'), ...LATER], note: '' };
  if (upload.track) return describeTrack(upload.track, clock);
  if (upload.state === 'uploading') {
    const share = upload.received / upload.size;
    return {
      stages: [now(`Paused at ${percent(share)}`, share), ...LATER],
      note: `${formatFileSize(upload.received)} of ${formatFileSize(upload.size)} uploaded. Choose the file again to continue`,
    };
  }
  if (upload.state === 'refused')
    return { stages: [bad('Rejected'), ...LATER], note: upload.failure ?? '' };
  if (upload.state === 'duplicate')
    return {
      stages: [done('Uploaded'), bad('Duplicate'), ...LATER.slice(1)],
      note: upload.duplicateOf
        ? `Same file as ${upload.duplicateOf.title}, week ${upload.duplicateOf.weekNumber}`
        : 'The catalogue already has this file',
    };
  return {
    stages: [
      done('Uploaded'),
      upload.failure ? bad('Stopped') : now('Checking', 0.3),
      ...LATER.slice(1),
    ],
    note: upload.failure ?? 'Checking file',
  };
}
