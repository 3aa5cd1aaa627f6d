import type { User } from '#contract/accounts.ts';
import { formatFileSize } from '#contract/rules/format.ts';
import {
  canSaveOffline,
  removeSavedTrack,
  useSavedFiles,
} from '#web/features/downloads/offline-store.ts';
import { CANNOT_SAVE, SaveInProgress } from '#web/features/downloads/save-offline.tsx';
import { TrackRow, type TrackRowProps } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { formatDate } from '#web/lib/format/format.ts';
import type { SavedFile } from '#web/offline/store/saved-file.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Trash2 } from '#web/ui/icons.ts';
import { SectionHead } from '#web/ui/page-head.tsx';

/** The tracks saved in this browser, their size, and until when they play offline. */
export function SavedList({ user }: { user: User }) {
  const { saved, saving, freeBytes } = useSavedFiles(user.id);
  const inProgress = Object.entries(saving);
  if (!saved || (saved.length === 0 && inProgress.length === 0)) return null;
  const total = saved.reduce((sum, { size }) => sum + size, 0);
  const byId = new Map(saved.map((file) => [file.track.id, file]));
  const facts = [
    `${saved.length} ${saved.length === 1 ? 'mix' : 'mixes'}`,
    formatFileSize(total),
    ...(freeBytes === null ? [] : [`${formatFileSize(freeBytes)} free`]),
  ];
  const until =
    user.offlineUntil === null ? '' : ` Available offline until ${formatDate(user.offlineUntil)}.`;
  return (
    <section aria-labelledby="saved" className="mb-10">
      <SectionHead id="saved" title="Saved offline" />
      <p className="mb-2 type-meta">
        {facts.join(' · ')}.{until}
      </p>
      {inProgress.map(([id, progress]) => (
        <div key={id} className="flex items-center gap-3.5 py-3">
          <SaveInProgress userId={user.id} trackId={id} progress={progress} />
        </div>
      ))}
      <TrackRows
        label="Saved offline"
        tracks={saved.map(({ track }) => track)}
        renderRow={(row) => <SavedRow {...row} userId={user.id} file={byId.get(row.track.id)} />}
      />
    </section>
  );
}

/** Where saved mixes are all there can be. */
export function NothingSaved({ user }: { user: User }) {
  const { saved, saving } = useSavedFiles(user.id);
  if (!saved || saved.length > 0 || Object.keys(saving).length > 0) return null;
  return (
    <EmptyState
      title="Nothing saved yet"
      text={
        canSaveOffline()
          ? 'Choose “Save offline” at a mix, and it plays here without a connection.'
          : CANNOT_SAVE
      }
      link={{ href: '/library', label: 'Open the library' }}
    />
  );
}

type SavedRowProps = TrackRowProps & { userId: string; file: SavedFile | undefined };

function SavedRow({ userId, file, ...row }: SavedRowProps) {
  const remove = () => void removeSavedTrack(userId, row.track.id);
  return (
    <TrackRow
      {...row}
      note={`Week ${row.track.weekNumber} · ${formatFileSize(file?.size ?? 0)}`}
      facts={
        <IconButton label={`Remove from this browser: ${row.track.title}`} onClick={remove}>
          <Trash2 />
        </IconButton>
      }
      menuItems={[{ icon: Trash2, text: 'Remove from this browser', onSelect: remove }]}
    />
  );
}
