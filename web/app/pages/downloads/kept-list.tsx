import { Trash2 } from '#web/ui/icons.ts';
import type { User } from '#contract/accounts.ts';
import { formatFileSize } from '#contract/rules/file-size.ts';
import { KeepProgress } from '#web/features/downloads/keep-progress.tsx';
import { removeKept } from '#web/features/downloads/keep-store.ts';
import { useKept } from '#web/features/downloads/use-kept.ts';
import type { KeptFile } from '#web/offline/kept-file.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MenuItem } from '#web/ui/overlays/menu.tsx';
import { SectionHead } from '#web/ui/page-head.tsx';
import { TrackRow, type TrackRowProps } from '#web/features/tracks/track-row.tsx';
import { TrackRows } from '#web/features/tracks/track-rows.tsx';
import { formatLocalDate } from '#web/lib/format.ts';


/** What plays in this browser without a connection, how much room it takes and until when. */
export function KeptList({ user }: { user: User }) {
  const { kept, keeping, room } = useKept(user.id);
  const waiting = Object.entries(keeping);
  if (!kept || (kept.length === 0 && waiting.length === 0)) return null;
  const total = kept.reduce((sum, { size }) => sum + size, 0);
  const byId = new Map(kept.map((file) => [file.track.id, file]));
  const facts = [
    `${kept.length} ${kept.length === 1 ? 'mix' : 'mixes'}, ${formatFileSize(total)}.`,
    room === null ? '' : `${formatFileSize(room)} left.`,
    user.offlineUntil === null
      ? ''
      : `Plays without a connection until ${formatLocalDate(user.offlineUntil)}.`,
  ];
  return (
    <section aria-labelledby="kept" className="mb-10">
      <SectionHead id="kept" title="Kept offline" />
      <p className="mb-2 type-meta">{facts.filter(Boolean).join(' ')}</p>
      {waiting.map(([id, progress]) => (
        <div key={id} className="flex py-3">
          <KeepProgress keeping={progress} />
        </div>
      ))}
      <TrackRows
        label="Kept offline"
        tracks={kept.map(({ track }) => track)}
        renderRow={(row) => <KeptRow {...row} userId={user.id} file={byId.get(row.track.id)} />}
      />
    </section>
  );
}

type KeptRowProps = TrackRowProps & { userId: string; file: KeptFile | undefined };

function KeptRow({ userId, file, ...row }: KeptRowProps) {
  const remove = () => void removeKept(userId, row.track.id);
  return (
    <TrackRow
      {...row}
      note={`Week ${row.track.weekNumber} · ${formatFileSize(file?.size ?? 0)}`}
      facts={
        <IconButton label={`Remove from this browser: ${row.track.title}`} onClick={remove}>
          <Trash2 aria-hidden strokeWidth={1.75} />
        </IconButton>
      }
      menuItems={
        <MenuItem onSelect={remove}>
          <Trash2 aria-hidden strokeWidth={1.75} />
          Remove from this browser
        </MenuItem>
      }
    />
  );
}
