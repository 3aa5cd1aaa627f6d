import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TrackChange } from '#contract/track-fields.ts';
import type { Upload } from '#contract/admin/uploads.ts';
import {
  catalogueFacetsQuery,
  saveTrack,
  saveUploadDraft,
  uploadDraftCover,
} from '#web/features/catalogue/api.ts';
import { CoverField } from '#web/features/catalogue/cover-field.tsx';
import { TrackEditor } from '#web/features/catalogue/track-editor.tsx';
import { refreshUploads } from '#web/features/uploads/api.ts';
import { dismissTracklist, findFile, type Sending } from '#web/features/uploads/upload-queue.ts';
import { ApiError } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { showToast } from '#web/lib/toasts.ts';
import { askThenLeave } from '#web/ui/overlays/back-closes.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import { UploadPreview } from './upload-preview.tsx';

type UploadDetailsProps = { upload: Upload; sending: Sending | null; onClose: () => void };

/** Edits title, week, tracklist and so on during the upload. */
export function UploadDetails({ upload, sending, onClose }: UploadDetailsProps) {
  const client = useQueryClient();
  const { data: facets } = useQuery(catalogueFacetsQuery);

  /** If the file has become a track meanwhile, edits the track. */
  async function save(change: TrackChange) {
    try {
      await saveUploadDraft(upload.id, { ...change, version: upload.version });
    } catch (error) {
      const track = upload.track;
      if (!(error instanceof ApiError && error.code === 'upload_over' && track)) throw error;
      await saveTrack(track.id, { ...change, version: track.version });
    }
    if (sending) dismissTracklist(sending.key);
    await refreshUploads(client);
    showToast({ title: 'Saved' });
    onClose();
  }

  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && askThenLeave(onClose)}>
      <SheetContent title={upload.title} side="right" className="md:w-[520px]">
        <div className="flex flex-col gap-6 px-5 pb-6 md:px-6" data-week={upload.week}>
          <p className="type-meta break-words">{upload.fileName}</p>
          <CoverField
            week={upload.week}
            coverUrl={upload.coverUrl}
            onPick={async (file) => {
              await uploadDraftCover(upload.id, file);
              await refreshUploads(client);
            }}
          />
          <TrackEditor
            key={upload.id}
            name={`upload/${upload.id}`}
            values={upload}
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
