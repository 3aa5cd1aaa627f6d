import type { ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import {
  canSaveOffline,
  pauseSaving,
  pickFile,
  removeSavedTrack,
  saveTrack,
  useSavedFiles,
  type SaveProgress,
} from './offline-store.ts';

/** Saves a track in this browser, shows the progress, and removes it again. */
export function SaveOffline({ track, user }: { track: TrackDetail; user: User | null }) {
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  const { saved, saving, freeBytes } = useSavedFiles(user?.id);
  if (!user || user.offlineUntil === null || !canSaveOffline() || !saved) return null;
  const userId = user.id;
  const file = saved.find((record) => record.track.id === track.id);
  const progress = saving[track.id];
  const save = () => void saveTrack({ userId, track, isDataSaver });

  if (progress)
    return (
      <Frame
        action={
          progress.isRunning ? (
            <Button variant="line" onClick={() => pauseSaving(track.id)}>
              Pause
            </Button>
          ) : (
            <Button variant="line" onClick={save}>
              Resume
            </Button>
          )
        }
      >
        <SaveProgressBar progress={progress} />
      </Frame>
    );
  if (file)
    return (
      <Frame
        action={
          <Button variant="line" onClick={() => void removeSavedTrack(userId, track.id)}>
            Remove
          </Button>
        }
      >
        <Description title="Saved offline" text={`${formatFileSize(file.size)} in this browser`} />
      </Frame>
    );
  const { size } = pickFile({ track, isDataSaver });
  const free = freeBytes === null ? '' : ` (${formatFileSize(freeBytes)} free)`;
  return (
    <Frame
      action={
        <Button variant="line" onClick={save}>
          Save offline
        </Button>
      }
    >
      <Description
        title="Save for offline"
        text={`Plays without a connection. ${formatFileSize(size)}${free}`}
      />
    </Frame>
  );
}

function Frame({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <section
      aria-label="Offline"
      className="flex flex-wrap items-center gap-3.5 border-t border-line py-3"
    >
      {children}
      {action}
    </section>
  );
}

function Description({ title, text }: { title: string; text: string }) {
  return (
    <span className="min-w-0 flex-1">
      <b className="block font-semibold">{title}</b>
      <span className="type-meta">{text}</span>
    </span>
  );
}

type SaveProgressBarProps = { progress: SaveProgress };

export function SaveProgressBar({
  progress: { title, done, size, isRunning },
}: SaveProgressBarProps) {
  const percent = size > 0 ? Math.floor((done / size) * 100) : 0;
  return (
    <div className="min-w-0 flex-1">
      <p className="type-meta tabular">
        <b className="font-semibold text-text">{title}</b>
        {isRunning ? ' ' : ': paused at '}
        {formatFileSize(done)} of {formatFileSize(size)}
      </p>
      <div
        role="progressbar"
        aria-label={`Saving ${title} offline`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-1.5 h-1 overflow-hidden rounded-pill bg-raised"
      >
        <div className="h-full bg-action" style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
