import { formatCount } from '#web/lib/format.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkChange, BulkUndo, CatalogueTrack } from '#contract/catalogue.ts';
import { changeMany, refreshCatalogue } from '#web/features/catalogue/api.ts';
import { CatalogueRow } from '#web/features/catalogue/catalogue-row.tsx';
import { useCatalogue } from '#web/features/catalogue/use-catalogue.ts';
import { describeFailure } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { showToast } from '#web/lib/toasts.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CatalogueList } from './catalogue-list.tsx';
import { InlineTitle } from './inline-title.tsx';

const done: Record<BulkChange['action'], string> = {
  publish: 'published',
  unpublish: 'unpublished',
  schedule: 'scheduled',
  move: 'moved',
  delete: 'deleted',
  restore: 'restored',
  revert: 'put back as it was',
};

/** What undoes a change; what was undone needs no way back. */
function findWayBack(
  { action }: BulkChange,
  ids: string[],
  items: BulkUndo,
): Extract<BulkChange, { action: 'restore' | 'revert' }> | null {
  if (ids.length === 0 || action === 'restore' || action === 'revert') return null;
  return action === 'delete' ? { action: 'restore', ids } : { action: 'revert', items };
}

export function AdminTrackManagementPage() {
  const client = useQueryClient();
  const catalogue = useCatalogue();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { mixes, filter } = catalogue;
  const present = mixes.filter(({ id }) => chosen.has(id));

  async function run(change: BulkChange) {
    try {
      const { changed, undo } = await changeMany(change);
      setChosen(new Set());
      await refreshCatalogue(client);
      const back = findWayBack(change, changed, undo);
      showToast({
        title: `${formatCount(changed.length, 'mix', 'mixes')} ${done[change.action]}`,
        ...(back && { action: { label: 'Undo', onSelect: () => void run(back) } }),
      });
    } catch (error) {
      showToast({ title: describeFailure(error, 'Nothing was changed.'), variant: 'destructive' });
    }
  }

  const toggle = ({ id }: CatalogueTrack, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const isAll = mixes.length > 0 && present.length === mixes.length;

  return (
    <AdminFrame
      title="Track management"
      lead="Choose mixes to publish, schedule, move or delete them together."
    >
      {present.length > 0 && (
        <BulkBar
          count={present.length}
          areDeleted={filter.state === 'deleted'}
          isNews={present.some(({ state }) => state !== 'published')}
          onWish={(wish) => void run({ ...wish, ids: present.map(({ id }) => id) })}
          onClear={() => setChosen(new Set())}
        />
      )}
      {mixes.length > 0 && (
        <label className="-mb-4 flex min-h-11 w-fit cursor-pointer items-center gap-3 font-medium">
          <input
            type="checkbox"
            className="size-5 accent-(--action)"
            checked={isAll}
            onChange={() => setChosen(new Set(isAll ? [] : mixes.map(({ id }) => id)))}
          />
          All that are shown
        </label>
      )}
      <CatalogueList catalogue={catalogue}>
        {(mix) => (
          <CatalogueRow
            key={mix.id}
            mix={mix}
            timeZone={boot.timeZone}
            start={
              <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
                <input
                  type="checkbox"
                  aria-label={`Choose ${mix.title}`}
                  className="size-5 accent-(--action)"
                  checked={chosen.has(mix.id)}
                  onChange={(event) => toggle(mix, event.target.checked)}
                />
              </label>
            }
            head={
              mix.state === 'deleted' ? undefined : (
                <InlineTitle mix={mix} onSaved={() => void refreshCatalogue(client)} />
              )
            }
          />
        )}
      </CatalogueList>
    </AdminFrame>
  );
}
