import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { CatalogueDetail } from '#contract/catalogue.ts';
import {
  catalogueFacetsQuery,
  adminPeaksQuery,
  adminTrackQuery,
  refreshCatalogue,
  removeTrackCover,
  saveTrack,
  uploadTrackCover,
} from '#web/features/catalogue/api.ts';
import { CoverField } from '#web/features/catalogue/cover-field.tsx';
import { TrackEditor } from '#web/features/catalogue/track-editor.tsx';
import { useCatalogueSignals } from '#web/features/catalogue/use-catalogue-signals.ts';
import { ApiError } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { TrackTools } from './track-tools.tsx';
import { PreviewPicker } from './preview-picker.tsx';

function TrackForm({ mix }: { mix: CatalogueDetail }) {
  const client = useQueryClient();
  const { data: facets } = useQuery(catalogueFacetsQuery);
  const hasSound = mix.duration > 0;
  const { data: peaks } = useQuery({
    ...adminPeaksQuery(mix.id, mix.updatedAt),
    enabled: hasSound,
  });
  // What is typed here stays while others save; the version it began from decides who was first.
  const [edited, setEdited] = useState(mix);
  const isBehind = mix.version !== edited.version;
  const adopt = async (saved: CatalogueDetail) => {
    client.setQueryData(adminTrackQuery(mix.id).queryKey, saved);
    setEdited(saved);
    await refreshCatalogue(client);
  };
  return (
    <div className="flex flex-col gap-6">
      {isBehind && (
        <Notice tone="warning" title="Somebody else has changed this mix meanwhile.">
          <Button size="sm" variant="line" className="mt-2" onClick={() => setEdited(mix)}>
            Show their version
          </Button>
        </Notice>
      )}
      <CoverField
        week={mix.weekNumber}
        coverUrl={mix.coverUrl}
        onPick={async (file) => adopt(await uploadTrackCover(mix.id, file))}
        onRemove={async () => adopt(await removeTrackCover(mix.id))}
      />
      <TrackEditor
        key={`${edited.id}-${edited.version}`}
        values={edited}
        timeZone={boot.timeZone}
        genres={facets?.genres ?? []}
        submitLabel="Save changes"
        onSave={async (change) => {
          await adopt(await saveTrack(mix.id, { ...change, version: edited.version }));
          showToast({ title: 'Mix saved' });
        }}
      >
        {(form, onChange) =>
          hasSound && (
            <PreviewPicker
              peaks={peaks?.peaks}
              duration={mix.duration}
              start={form.previewStart ?? 0}
              note="Click or drag on the waveform; saving cuts it again."
              onStart={(previewStart) => onChange({ previewStart })}
            />
          )
        }
      </TrackEditor>
    </div>
  );
}

export function AdminEditTrackPage() {
  const { id } = useParams<{ id: string }>();
  const { data: mix, error } = useQuery(adminTrackQuery(id));
  useCatalogueSignals();
  const isMissing = error instanceof ApiError && error.status === 404;
  if (isMissing || mix?.state === 'deleted')
    return (
      <AdminFrame title="Edit track">
        <EmptyState glyph="nothing" title="This mix does not exist">
          The catalogue has no mix with this address.
        </EmptyState>
      </AdminFrame>
    );
  return (
    <AdminFrame title="Edit track" {...(mix && { lead: mix.title })}>
      {error && !mix && <Notice tone="danger" title="The mix could not be read." />}
      {!mix && !error && <TextSkeleton />}
      {mix && (
        <div
          data-week={mix.weekNumber}
          className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
        >
          <TrackForm key={mix.id} mix={mix} />
          <TrackTools mix={mix} />
        </div>
      )}
    </AdminFrame>
  );
}
