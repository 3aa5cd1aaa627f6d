import { Link } from 'wouter';
import { guessFromFileName } from '#contract/rules/file-name.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import { describeUpload, type Stage } from './describe-stages.ts';
import {
  cancelSending,
  dismissTracklist,
  removeSending,
  pauseSending,
  resumeSending,
  type Sending,
} from './upload-queue.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { boot } from '#web/lib/store/boot.ts';
import { Numeral } from '#web/ui/art/numeral.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx';
import { ExternalLink, Pause, Pencil, Play, RotateCcw, X } from '#web/ui/icons.ts';

type UploadRowProps = {
  /** The time of the shown state. */
  now: number;
  upload: Upload | null;
  sending: Sending | null;
  onEdit: (upload: Upload) => void;
  onAccept: (upload: Upload) => void;
  onCancel: (upload: Upload) => void;
};

function SendingActions({ sending, title }: { sending: Sending; title: string }) {
  const { key, phase } = sending;
  return (
    <>
      {(phase === 'sending' || phase === 'waiting') && (
        <IconButton label={`Pause ${title}`} onClick={() => pauseSending(key)}>
          <Pause />
        </IconButton>
      )}
      {phase === 'paused' && (
        <IconButton label={`Resume ${title}`} onClick={() => resumeSending(key)}>
          <Play />
        </IconButton>
      )}
      {phase === 'failed' && (
        <IconButton label={`Retry ${title}`} onClick={() => resumeSending(key)}>
          <RotateCcw />
        </IconButton>
      )}
      <IconButton label={`Cancel ${title}`} onClick={() => void cancelSending(key)}>
        <X />
      </IconButton>
    </>
  );
}

const UNRELEASED: ReadonlySet<string> = new Set<CatalogueTrack['state']>(['processing', 'draft']);

/** One file with its details, its progress and its actions. */
export function UploadRow({ now, upload, sending, onEdit, onAccept, onCancel }: UploadRowProps) {
  const { user } = useCurrentUser();
  const fileName = upload?.fileName ?? sending?.fileName ?? '';
  const guess = guessFromFileName(fileName, weekOf(now, boot.timeZone));
  const title = upload?.track?.title ?? upload?.title ?? guess.title;
  const week = upload?.track?.weekNumber ?? upload?.week ?? guess.week;
  const { stages, note } = describeUpload(upload, sending, { timeZone: boot.timeZone, now });
  const isUploading =
    sending && sending.phase !== 'sent' && (!upload || upload.state === 'uploading');
  const editable = upload && !upload.track && upload.state !== 'refused';
  return (
    <li
      data-week={week}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-3 border-b border-line py-4 @4xl/content:grid-cols-[84px_minmax(0,1.1fr)_minmax(0,1.5fr)_132px] @4xl/content:gap-x-6"
    >
      <Numeral value={week} size="clamp(52px, 5vw, 64px)" isDecorative className="text-week" />
      <div className="min-w-0">
        <strong className="block truncate text-16 font-semibold">{title}</strong>
        <span className="block truncate type-meta">
          <span className="sr-only">Week {week}, </span>
          {fileName}
        </span>
        <span className="block text-13 text-text-2">{note}</span>
        {upload?.track && UNRELEASED.has(upload.track.state) && (
          <LinkButton
            size="sm"
            variant="line"
            className="mt-2"
            // The day of the release is the administrators’ page; helpers publish where they edit.
            href={
              user?.isAdmin
                ? `/admin?mix=${upload.track.id}`
                : `/admin/tracks/edit/${upload.track.id}`
            }
            aria-label={`Publish or schedule ${title}`}
          >
            Publish or schedule
          </LinkButton>
        )}
        {upload?.state === 'duplicate' && (
          <span className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" variant="line" onClick={() => onAccept(upload)}>
              Keep both
            </Button>
            <Button size="sm" variant="quiet" onClick={() => onCancel(upload)}>
              Discard
            </Button>
          </span>
        )}
      </div>
      <div className="@max-4xl/content:col-span-3 @max-4xl/content:row-start-2">
        <UploadStages stages={stages} />
      </div>
      <div className="flex justify-end @max-4xl/content:col-start-3 @max-4xl/content:row-start-1">
        {editable && (
          <IconButton label={`Edit ${title}`} onClick={() => onEdit(upload)}>
            <Pencil />
          </IconButton>
        )}
        {isUploading && <SendingActions sending={sending} title={title} />}
        {upload?.state === 'received' && upload.failure && (
          <IconButton label={`Retry ${title}`} onClick={() => onAccept(upload)}>
            <RotateCcw />
          </IconButton>
        )}
        {upload?.track && (
          <Link
            href={`/admin/tracks/edit/${upload.track.id}`}
            aria-label={`Edit ${title}`}
            className={iconButtonClass()}
          >
            <Pencil />
          </Link>
        )}
        {upload?.track?.state === 'published' && (
          <Link
            href={`/track/${upload.track.id}`}
            aria-label={`Open ${title}`}
            className={iconButtonClass()}
          >
            <ExternalLink />
          </Link>
        )}
        {upload && !isUploading && (upload.state !== 'received' || upload.failure) && (
          <IconButton
            label={upload.track ? `Dismiss ${title}` : `Cancel ${title}`}
            onClick={() => {
              if (sending) removeSending(sending.key);
              onCancel(upload);
            }}
          >
            <X />
          </IconButton>
        )}
      </div>
      {upload && sending?.tracklist && (
        <div className="col-span-full flex flex-wrap items-center gap-x-3 gap-y-2 text-13 @max-4xl/content:row-start-3">
          <span className="min-w-0 break-words">{sending.tracklist.name} isn’t saved yet.</span>
          <span className="flex flex-wrap gap-2">
            <Button size="sm" variant="line" onClick={() => onEdit(upload)}>
              Check tracklist
            </Button>
            <Button size="sm" variant="quiet" onClick={() => dismissTracklist(sending.key)}>
              Don’t use it
            </Button>
          </span>
        </div>
      )}
    </li>
  );
}

const colours = {
  todo: 'text-text-3',
  now: 'font-semibold text-text',
  done: 'text-text-2',
  bad: 'font-semibold text-danger',
};

/** Four bars in the week's colour, filled as far as each stage is done. */
function UploadStages({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="grid grid-cols-4 gap-[3px]">
      {stages.map(({ label, state, share }, index) => (
        // The stages never change their order.
        <li key={index} className={`min-w-0 text-12 ${colours[state]}`}>
          <span
            aria-hidden
            className={`mb-2 block h-3.5 rounded-[1.5px] ${state === 'bad' ? 'bg-danger' : 'shadow-[inset_0_0_0_1.5px_var(--stage-line)]'}`}
            style={{
              ['--stage-line' as string]: state === 'done' ? 'var(--week)' : 'var(--week-rest)',
              ...(state !== 'bad' && {
                backgroundImage: `linear-gradient(90deg, var(--week-fill) ${(share * 100).toFixed(1)}%, transparent 0)`,
              }),
            }}
          />
          {label}
        </li>
      ))}
    </ol>
  );
}
