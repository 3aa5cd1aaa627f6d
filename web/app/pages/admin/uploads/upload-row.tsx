import { ExternalLink, Pause, Pencil, Play, RotateCcw, X } from '#web/ui/icons.ts';
import { Link } from 'wouter';
import { guessFromFileName } from '#contract/rules/file-name.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Upload } from '#contract/uploads.ts';
import { describeUpload } from '#web/features/uploads/describe-stages.ts';
import { UploadStages } from '#web/features/uploads/upload-stages.tsx';
import {
  cancelSending,
  dropSending,
  pauseSending,
  resumeSending,
  type Sending,
} from '#web/features/uploads/upload-queue.ts';
import { boot } from '#web/lib/boot.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import { Numeral } from '#web/ui/art/numeral.tsx';

type UploadRowProps = {
  /** The time of what is shown. */
  now: number;
  upload: Upload | null;
  sending: Sending | null;
  onEdit: (upload: Upload) => void;
  onKeep: (upload: Upload) => void;
  onEnd: (upload: Upload) => void;
};

const iconProps = { 'aria-hidden': true, strokeWidth: 1.75 } as const;

function SendingActions({ sending, title }: { sending: Sending; title: string }) {
  const { key, phase } = sending;
  return (
    <>
      {(phase === 'sending' || phase === 'waiting') && (
        <IconButton label={`Pause ${title}`} onClick={() => pauseSending(key)}>
          <Pause {...iconProps} />
        </IconButton>
      )}
      {phase === 'paused' && (
        <IconButton label={`Resume ${title}`} onClick={() => resumeSending(key)}>
          <Play {...iconProps} />
        </IconButton>
      )}
      {phase === 'failed' && (
        <IconButton label={`Retry ${title}`} onClick={() => resumeSending(key)}>
          <RotateCcw {...iconProps} />
        </IconButton>
      )}
      <IconButton label={`Cancel ${title}`} onClick={() => void cancelSending(key)}>
        <X {...iconProps} />
      </IconButton>
    </>
  );
}

/** One file: what it will be, how far it is, and what can be done with it. */
export function UploadRow({ now, upload, sending, onEdit, onKeep, onEnd }: UploadRowProps) {
  const fileName = upload?.fileName ?? sending?.fileName ?? '';
  const guess = guessFromFileName(fileName, weekOf(now, boot.timeZone));
  const title = upload?.track?.title ?? upload?.title ?? guess.title;
  const week = upload?.track?.weekNumber ?? upload?.week ?? guess.week;
  const { stages, note } = describeUpload(upload, sending, { timeZone: boot.timeZone, now });
  const isOnItsWay =
    sending && sending.phase !== 'sent' && (!upload || upload.state === 'uploading');
  const editable = upload && !upload.track && upload.state !== 'refused';
  return (
    <li
      data-week={week}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-3 border-b border-line py-4 md:grid-cols-[84px_minmax(0,1.1fr)_minmax(0,1.5fr)_120px] md:gap-x-6"
    >
      <Numeral value={week} size="clamp(52px, 5vw, 64px)" isDecorative className="text-week" />
      <div className="min-w-0">
        <strong className="block truncate text-16 font-semibold">{title}</strong>
        <span className="block truncate type-meta">
          <span className="sr-only">Week {week}, </span>
          {fileName}
        </span>
        <span className="block text-13 text-text-2">{note}</span>
        {upload?.state === 'duplicate' && (
          <span className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" variant="line" onClick={() => onKeep(upload)}>
              Keep both
            </Button>
            <Button size="sm" variant="quiet" onClick={() => onEnd(upload)}>
              Throw it away
            </Button>
          </span>
        )}
      </div>
      <div className="max-md:col-span-3 max-md:row-start-2">
        <UploadStages stages={stages} />
      </div>
      <div className="flex justify-end max-md:col-start-3 max-md:row-start-1">
        {editable && (
          <IconButton label={`Edit ${title}`} onClick={() => onEdit(upload)}>
            <Pencil {...iconProps} />
          </IconButton>
        )}
        {isOnItsWay && <SendingActions sending={sending} title={title} />}
        {upload?.state === 'received' && upload.failure && (
          <IconButton label={`Retry ${title}`} onClick={() => onKeep(upload)}>
            <RotateCcw {...iconProps} />
          </IconButton>
        )}
        {upload?.track && (
          <Link
            href={`/admin/tracks/edit/${upload.track.id}`}
            aria-label={`Edit ${title}`}
            className={iconButtonClass()}
          >
            <Pencil {...iconProps} />
          </Link>
        )}
        {upload?.track?.state === 'published' && (
          <Link
            href={`/track/${upload.track.id}`}
            aria-label={`Open ${title}`}
            className={iconButtonClass()}
          >
            <ExternalLink {...iconProps} />
          </Link>
        )}
        {upload && !isOnItsWay && (upload.state !== 'received' || upload.failure) && (
          <IconButton
            label={upload.track ? `Take ${title} off the list` : `Cancel ${title}`}
            onClick={() => {
              if (sending) dropSending(sending.key);
              onEnd(upload);
            }}
          >
            <X {...iconProps} />
          </IconButton>
        )}
      </div>
    </li>
  );
}
