import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { AdminClip } from '#contract/admin/clips.ts';
import { clipPath } from '#contract/clips.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { formatCount, formatDayAndTime } from '#web/lib/format/format.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReasonDialog } from '#web/ui/overlays/reason-dialog.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';
import { PanelRowsSkeleton } from '#web/ui/panel-skeleton.tsx';

const clipsQuery = (track: string | null) =>
  pagedQuery('GET /api/admin/clips', { query: { limit: 50, ...(track !== null && { track }) } });

/** Every clip that was ever made, and how much of its mix clips have given away. */
export function Page() {
  const track = new URLSearchParams(useSearch()).get('track');
  const query = useInfiniteQuery(clipsQuery(track));
  const limit = query.data?.pages[0]?.limit;
  const [removed, setRemoved] = useState<AdminClip | null>(null);
  return (
    <AdminFrame title="Mixes" lead={describeLimit(limit)}>
      {track !== null && (
        <LinkButton href="/admin/clips" variant="line" className="mb-4">
          Clips of all mixes
        </LinkButton>
      )}
      <PagedList
        label="Clips"
        query={query}
        failed="Couldn’t load clips."
        skeleton={<PanelRowsSkeleton rows={5} />}
        empty={
          <EmptyState
            glyph="nothing"
            title="No clips yet"
            text="Subscribers make clips in the player, on a mix’s page and in the share dialog. So can you."
          />
        }
        renderItem={(clip) => (
          <ClipRow key={clip.id} clip={clip} limit={limit} onRemove={() => setRemoved(clip)} />
        )}
      />
      {removed && <RemoveDialog clip={removed} onClose={() => setRemoved(null)} />}
    </AdminFrame>
  );
}

function describeLimit(limit: number | undefined): string {
  if (limit === undefined) return 'Parts of mixes that everyone can hear.';
  return limit === 0
    ? 'Clips are off: nobody makes one, and no link works. Releases and mail turns them on.'
    : `Parts of mixes that everyone can hear: ${formatCount(limit, 'second')} of a mix in all, beyond its preview.`;
}

const STATES: Record<AdminClip['state'], string | null> = {
  ready: null,
  waiting: 'Being made',
  failed: 'Failed',
  removed: 'Removed',
};

type ClipRowProps = { clip: AdminClip; limit: number | undefined; onRemove: () => void };

function ClipRow({ clip, limit, onRemove }: ClipRowProps) {
  const { id, start, seconds, state, createdAt, track } = clip;
  const end = formatDuration(start + seconds);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2.5 first:border-0 @5xl/content:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap gap-x-2">
          <Link
            href={`/admin/clips?track=${encodeURIComponent(track.id)}`}
            className="font-semibold underline-offset-4 hover:underline"
          >
            Week {track.weekNumber}, {track.title}
          </Link>
          {STATES[state] && <span className="text-text-3">{STATES[state]}</span>}
        </p>
        <p className="text-13 text-text-2 tabular">
          {formatDuration(start)} to {end}, {formatCount(seconds, 'second')}. Made by{' '}
          <Maker maker={clip.maker} /> on {formatDayAndTime(createdAt)}.
        </p>
      </div>
      <p className="text-13 text-text-2 tabular">
        {track.used} of {limit} seconds used
      </p>
      <div className="flex min-h-11 items-center gap-2">
        {state === 'ready' && (
          <LinkButton href={clipPath(id)} variant="line" size="sm">
            Open
          </LinkButton>
        )}
        {state !== 'removed' && (
          <Button variant="danger" size="sm" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

/** A helper sees who it was, and opens no member's page. */
function Maker({ maker }: Pick<AdminClip, 'maker'>) {
  const { user } = useCurrentUser();
  if (!maker) return 'a deleted account';
  if (!user?.isAdmin) return maker.name;
  return (
    <Link href={`/admin/subscribers/${maker.id}`} className="underline underline-offset-4">
      {maker.name}
    </Link>
  );
}

function RemoveDialog({ clip, onClose }: { clip: AdminClip; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/admin/clips/:id', { params: { id: clip.id } }),
    onSettled: () => refreshPaths(client, '/api/admin/clips'),
  });
  return (
    <ReasonDialog
      title="Remove this clip?"
      description={`Its link and its videos stop working within a minute. Its ${formatCount(clip.seconds, 'second')} stay counted, because strangers may have them.`}
      confirmLabel="Remove the clip"
      busyLabel="Removing…"
      isDestructive
      failed="Couldn’t remove the clip."
      onConfirm={() => remove.mutateAsync()}
      onClose={onClose}
    />
  );
}
