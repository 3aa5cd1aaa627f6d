import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { TrackChange } from '#contract/track-fields.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import {
  catalogueFacetsQuery,
  saveTrack,
  saveUploadDraft,
  uploadDraftCover,
} from '#web/admin/tracks/editor/api.ts';
import { CoverField } from '#web/admin/tracks/editor/cover-field.tsx';
import { TrackEditor } from '#web/admin/tracks/editor/track-editor.tsx';
import { refreshUploads } from './api.ts';
import { dismissTracklist, findFile, type Sending } from './upload-queue.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { focusChanged } from '#web/ui/forms/focus-changed.ts';
import { Notice } from '#web/ui/notice.tsx';
import { askThenLeave } from '#web/ui/overlays/back-closes.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import { UploadPreview } from './upload-preview.tsx';

type UploadDetailsProps = { upload: Upload; sending: Sending | null; onClose: () => void };

/** Edits title, week, tracklist and so on during the upload. */
export function UploadDetails({ upload, sending, onClose }: UploadDetailsProps) {
  const client = useQueryClient();
  const { data: facets } = useQuery(catalogueFacetsQuery);

  // Another administrator may save while this is open: it keeps what is typed and its own version.
  const [edited, setEdited] = useState(upload);
  const [loads, setLoads] = useState(0);
  const area = useRef<HTMLDivElement>(null);
  const isOutdated = upload.version > edited.version;
  const loadOther = () =>
    focusChanged(area.current, () => {
      setEdited(upload);
      setLoads(loads + 1);
    });

  /** If the file has become a track meanwhile, edits the track. */
  async function save(change: TrackChange) {
    try {
      await saveUploadDraft(upload.id, { ...change, version: edited.version });
    } catch (error) {
      const track = upload.track;
      const isTrack = error instanceof ApiError && error.code === 'upload_over' && !isOutdated;
      if (!isTrack || !track) throw error;
      const { version } = edited.track ?? track;
      await saveTrack(track.id, { ...change, version });
    }
    if (sending) dismissTracklist(sending.key);
    await refreshUploads(client);
    showToast({ title: 'Saved' });
    onClose();
  }

  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && askThenLeave(onClose)}>
      <SheetContent title={upload.title} side="right" className="md:w-[520px]">
        <div ref={area} className="flex flex-col gap-6 px-5 pb-6 md:px-6" data-week={upload.week}>
          {isOutdated && (
            <Notice
              tone="warning"
              title="Someone else edited this upload while you were working."
              actions={
                <Button size="sm" variant="line" onClick={loadOther}>
                  Load their version
                </Button>
              }
            />
          )}
          <p className="type-meta break-words">{upload.fileName}</p>
          <CoverField
            week={upload.week}
            coverUrl={upload.coverUrl}
            onPick={async (file) => {
              const saved = await uploadDraftCover(upload.id, file);
              // A cover counts as an edit; after someone else's, theirs hasn't been seen yet.
              setEdited((own) => (saved.version === own.version + 1 ? saved : own));
              await refreshUploads(client);
            }}
          />
          <TrackEditor
            key={loads}
            name={`upload/${upload.id}`}
            values={isOutdated ? edited : upload}
            duration={null}
            onBack={onClose}
            timeZone={boot.timeZone}
            genres={facets?.genres ?? []}
            sound={sending && findFile(sending.key)}
            tracklistFile={sending?.tracklist ?? null}
            submitLabel="Save"
            onSave={save}
          >
            {(form, onChange) => (
              <UploadPreview
                upload={upload}
                sending={sending}
                start={form.previewStart}
                onStart={(previewStart) => onChange({ previewStart })}
              />
            )}
          </TrackEditor>
        </div>
      </SheetContent>
    </Sheet>
  );
}
