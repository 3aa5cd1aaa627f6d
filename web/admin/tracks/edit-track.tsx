import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useParams } from 'wouter';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import {
  catalogueFacetsQuery,
  adminPeaksQuery,
  adminTrackQuery,
  refreshCatalogue,
  removeTrackCover,
  saveTrack,
  uploadTrackCover,
} from './editor/api.ts';
import { CoverField } from './editor/cover-field.tsx';
import { TrackEditor } from './editor/track-editor.tsx';
import { useCatalogueSignals } from './editor/use-catalogue-signals.ts';
import { boot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { focusChanged } from '#web/ui/forms/focus-changed.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AdminFrame } from '../admin-frame.tsx';
import { EditSkeleton, LeadSkeleton } from '../admin-skeletons.tsx';
import { TrackListen, TrackTools } from './track-tools.tsx';
import { PreviewPicker } from './preview-picker.tsx';

function TrackForm({ track }: { track: CatalogueDetail }) {
  const client = useQueryClient();
  const { data: facets } = useQuery(catalogueFacetsQuery);
  const hasAudio = track.duration > 0;
  const { data: peaks } = useQuery({
    ...adminPeaksQuery(track.id),
    enabled: hasAudio,
  });
  // Someone else may save while this form is open: it keeps what is typed and its own version.
  const [edited, setEdited] = useState(track);
  const [loads, setLoads] = useState(0);
  const isOutdated = track.version !== edited.version;
  const showSaved = (saved: CatalogueDetail) => {
    client.setQueryData(adminTrackQuery(track.id).queryKey, saved);
    // After someone else's edit, theirs hasn't been seen yet, also if only the cover is saved.
    setEdited((own) => (saved.version <= own.version + 1 ? saved : own));
    // The form has what is saved already: nothing waits for the lists.
    void refreshCatalogue(client);
    return saved;
  };
  const area = useRef<HTMLDivElement>(null);
  const loadOther = () =>
    focusChanged(area.current, () => {
      setEdited(track);
      setLoads(loads + 1);
    });
  return (
    <div ref={area} className="flex flex-col gap-6">
      {isOutdated && (
        <Notice tone="warning" title="Someone else edited this mix while you were working.">
          <Button size="sm" variant="line" className="mt-2" onClick={loadOther}>
            Load their version
          </Button>
        </Notice>
      )}
      <CoverField
        week={track.weekNumber}
        trackId={track.id}
        coverUrl={track.coverUrl}
        onPick={async (file) => showSaved(await uploadTrackCover(track.id, file))}
        onRemove={async () => showSaved(await removeTrackCover(track.id))}
      />
      <TrackEditor
        key={loads}
        name={`track/${track.id}`}
        // New audio changes what is stored about it, but not the version.
        values={isOutdated ? edited : track}
        duration={hasAudio ? track.duration : null}
        isTakenDown={track.takeDown !== null}
        timeZone={boot.timeZone}
        genres={facets?.genres ?? []}
        sound={hasAudio ? `/media/tracks/${track.id}/stream` : null}
        submitLabel="Save changes"
        onSave={async (change) => {
          const saved = await saveTrack(track.id, { ...change, version: edited.version });
          showToast({ title: 'Mix saved' });
          return showSaved(saved);
        }}
      >
        {(form, onChange) =>
          hasAudio && (
            <PreviewPicker
              peaks={peaks?.peaks}
              duration={track.duration}
              start={form.previewStart ?? 0}
              note="Click or drag to move it; the preview is re-cut when you save."
              sound={`/media/tracks/${track.id}/stream`}
              onStart={(previewStart) => onChange({ previewStart })}
            />
          )
        }
      </TrackEditor>
    </div>
  );
}

const missing = { title: 'Mix not found', text: 'There’s no mix with this ID.' };

export function Page() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(adminTrackQuery(id));
  const { data, error } = query;
  useCatalogueSignals();
  const isDeleted = data?.state === 'deleted';
  return (
    <AdminFrame
      title="Edit mix"
      lead={data ? !isDeleted && data.title : !error && <LeadSkeleton />}
    >
      <Loaded
        query={query}
        failed="Couldn’t load this mix."
        missing={missing}
        skeleton={<EditSkeleton />}
      >
        {(track) =>
          isDeleted ? (
            <EmptyState glyph="nothing" {...missing} />
          ) : (
            <div
              data-week={track.weekNumber}
              className="grid items-start *:min-w-0 gap-x-14 gap-y-10 @4xl/content:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)] @double/content:grid-cols-[minmax(0,2.2fr)_minmax(0,1fr)]"
            >
              <div className="col-span-full">
                <TrackListen track={track} />
              </div>
              {/* A take-down is a new version, but nothing that the form shows. */}
              <TrackForm key={`${track.id}/${track.takeDown?.id}`} track={track} />
              <TrackTools track={track} />
            </div>
          )
        }
      </Loaded>
    </AdminFrame>
  );
}
