import type { ReactNode } from 'react';
import type { User } from '#contract/accounts.ts';
import { formatFileSize } from '#contract/rules/file-size.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { Button } from '#web/ui/button.tsx';
import { KeepProgress } from './keep-progress.tsx';
import { canKeep, keepTrack, pauseKeeping, pickKeptFile, removeKept } from './keep-store.ts';
import { useKept } from './use-kept.ts';

/** Keeps a mix in this browser, shows how far it is, and lets it go again. */
export function KeepOffline({ track, user }: { track: TrackDetail; user: User | null }) {
  const isDataSaver = usePlayerState((state) => state.isDataSaver);
  const { kept, keeping, room } = useKept(user?.id);
  if (!user || user.offlineUntil === null || !canKeep() || !kept) return null;
  const userId = user.id;
  const file = kept.find((record) => record.track.id === track.id);
  const progress = keeping[track.id];
  const keep = () => void keepTrack({ userId, track, isDataSaver });

  if (progress)
    return (
      <Frame
        action={
          progress.isRunning ? (
            <Button variant="line" onClick={() => pauseKeeping(track.id)}>
              Pause
            </Button>
          ) : (
            <Button variant="line" onClick={keep}>
              Go on
            </Button>
          )
        }
      >
        <KeepProgress keeping={progress} />
      </Frame>
    );
  if (file)
    return (
      <Frame
        action={
          <Button variant="line" onClick={() => void removeKept(userId, track.id)}>
            Remove
          </Button>
        }
      >
        <Words title="Kept offline" about={`${formatFileSize(file.size)} in this browser`} />
      </Frame>
    );
  const { size } = pickKeptFile({ track, isDataSaver });
  const left = room === null ? '' : `, ${formatFileSize(room)} left`;
  return (
    <Frame
      action={
        <Button variant="line" onClick={keep}>
          Keep offline
        </Button>
      }
    >
      <Words
        title="In this browser"
        about={`Plays without a connection. ${formatFileSize(size)}${left}`}
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

function Words({ title, about }: { title: string; about: string }) {
  return (
    <span className="min-w-0 flex-1">
      <b className="block font-semibold">{title}</b>
      <span className="type-meta">{about}</span>
    </span>
  );
}
