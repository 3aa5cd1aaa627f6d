import { formatCount } from '#web/lib/format/format.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkChange, BulkUndo, CatalogueTrack } from '#contract/admin/catalogue.ts';
import { changeMany, refreshCatalogue } from './editor/api.ts';
import { CatalogueRow } from './editor/catalogue-row.tsx';
import { useCatalogue } from './editor/use-catalogue.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CatalogueList } from './catalogue-list.tsx';
import { InlineTitle } from './inline-title.tsx';

const pastTense: Record<BulkChange['action'], string> = {
  publish: 'published',
  unpublish: 'unpublished',
  schedule: 'scheduled',
  move: 'moved',
  delete: 'deleted',
  restore: 'restored',
  revert: 'reverted',
};

/** The change that undoes this one; an undo can't be undone. */
function buildUndo(
  { action }: BulkChange,
  ids: string[],
  items: BulkUndo,
): Extract<BulkChange, { action: 'restore' | 'revert' }> | null {
  if (ids.length === 0 || action === 'restore' || action === 'revert') return null;
  return action === 'delete' ? { action: 'restore', ids } : { action: 'revert', items };
}

export function Page() {
  const client = useQueryClient();
  const catalogue = useCatalogue();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { tracks, filter } = catalogue;
  const present = tracks.filter(({ id }) => selected.has(id));

  async function run(change: BulkChange) {
    try {
      const { changed, undo } = await changeMany(change);
      setSelected(new Set());
      await refreshCatalogue(client);
      const back = buildUndo(change, changed, undo);
      showToast({
        title: `${formatCount(changed.length, 'mix', 'mixes')} ${pastTense[change.action]}`,
        ...(back && { undo: { run: () => run(back) } }),
      });
    } catch (error) {
      showToast({ title: describeFailure(error, 'Nothing was changed.'), variant: 'destructive' });
    }
  }

  const toggle = ({ id }: CatalogueTrack, isOn: boolean) => {
    const next = new Set(selected);
    if (isOn) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  const isAll = tracks.length > 0 && present.length === tracks.length;

  return (
    <AdminFrame title="Mixes">
      <CatalogueList
        catalogue={catalogue}
        head={
          <BulkBar
            tracks={present}
            areDeleted={filter.state === 'deleted'}
            isAll={isAll}
            onAll={() => setSelected(new Set(isAll ? [] : tracks.map(({ id }) => id)))}
            onAction={(action) => void run({ ...action, ids: present.map(({ id }) => id) })}
          />
        }
      >
        {(track) => (
          <CatalogueRow
            key={track.id}
            track={track}
            timeZone={boot.timeZone}
            start={
              <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
                <input
                  type="checkbox"
                  aria-label={`Select ${track.title}`}
                  className="size-5"
                  checked={selected.has(track.id)}
                  onChange={(event) => toggle(track, event.target.checked)}
                />
              </label>
            }
            head={
              track.state === 'deleted' ? undefined : (
                <InlineTitle track={track} onSaved={() => void refreshCatalogue(client)} />
              )
            }
          />
        )}
      </CatalogueList>
    </AdminFrame>
  );
}
