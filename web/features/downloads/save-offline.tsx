import type { ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import { describeData } from '#contract/rules/data-use.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { boot } from '#web/lib/store/boot.ts';
import { findSaveFile } from '#web/offline/store/run-saves.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import {
  canSaveOffline,
  pauseSaving,
  removeSavedTrack,
  resumeSaving,
  saveTrack,
  useSavedFiles,
  type SaveProgress,
} from './offline-store.ts';

export const CANNOT_SAVE = 'This browser can’t save mixes, or not in a private window.';

/** Saves a track in this browser, shows the progress, and removes it again. */
export function SaveOffline({ track, user }: { track: TrackDetail; user: User | null }) {
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  const { saved, saving, freeBytes } = useSavedFiles(user?.id);
  if (!user || user.offlineUntil === null || track.isSavingOff) return null;
  if (!canSaveOffline())
    return (
      <Frame>
        <Description title="Save for offline" text={CANNOT_SAVE} />
      </Frame>
    );
  if (!saved) return null;
  const userId = user.id;
  const file = saved.find((record) => record.track.id === track.id);
  const progress = saving[track.id];
  if (progress)
    return (
      <Frame>
        <SaveInProgress userId={userId} trackId={track.id} progress={progress} />
      </Frame>
    );
  if (file)
    return (
      <Frame>
        <Description title="Saved offline" text={`${formatFileSize(file.size)} in this browser`} />
        <Button variant="line" onClick={() => void removeSavedTrack(userId, track.id)}>
          Remove
        </Button>
      </Frame>
    );
  const { size } = findSaveFile(track, isDataSaver);
  const free = freeBytes === null ? '' : ` (${formatFileSize(freeBytes)} free)`;
  return (
    <Frame>
      <Description
        title="Save for offline"
        text={`Plays without a connection. ${describeData(size, boot.dataPrice)}${free}`}
      />
      <Button variant="line" onClick={() => void saveTrack({ userId, track, isDataSaver })}>
        Save offline
      </Button>
    </Frame>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <section
    aria-label="Offline"
    className="flex flex-wrap items-center gap-3.5 border-t border-line py-3"
  >
    {children}
  </section>
);

function Description({ title, text }: { title: string; text: string }) {
  return (
    <span className="min-w-0 flex-1">
      <b className="block font-semibold">{title}</b>
      <span className="type-meta">{text}</span>
    </span>
  );
}

type SaveInProgressProps = { userId: string; trackId: string; progress: SaveProgress };

/** How far a mix is saved, what it waits for, and what to do about that. */
export function SaveInProgress({ userId, trackId, progress }: SaveInProgressProps) {
  const { title, stage } = progress;
  const [label, act] =
    stage === 'running' || stage === 'waiting'
      ? (['Pause', pauseSaving] as const)
      : ([stage === 'wifi' ? 'Save now' : 'Resume', resumeSaving] as const);
  return (
    <>
      <SaveProgressBar progress={progress} />
      <Button
        variant="line"
        aria-label={`${label}: ${title}`}
        onClick={() => void act(userId, trackId)}
      >
        {label}
      </Button>
    </>
  );
}

const STAGES: Record<SaveProgress['stage'], string> = {
  running: ' ',
  waiting: ' goes on by itself: ',
  wifi: ' waits for Wi-Fi: ',
  room: ': not enough space on this device, ',
  paused: ': paused at ',
};

function SaveProgressBar({ progress: { title, done, size, stage } }: { progress: SaveProgress }) {
  const percent = size > 0 ? Math.floor((done / size) * 100) : 0;
  return (
    <div className="min-w-0 flex-1">
      <p className="type-meta tabular">
        <b className="font-semibold text-text">{title}</b>
        {STAGES[stage]}
        {size > 0 && `${formatFileSize(done)} of ${formatFileSize(size)}`}
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
