import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toPublishAt, type MixChange } from '#contract/mix-fields.ts';
import type { Upload } from '#contract/uploads.ts';
import {
  catalogueFacetsQuery,
  saveMix,
  saveUploadDraft,
  uploadDraftCover,
} from '#web/features/catalogue/api.ts';
import { CoverField } from '#web/features/catalogue/cover-field.tsx';
import { MixEditor } from '#web/features/catalogue/mix-editor.tsx';
import { refreshUploads } from '#web/features/uploads/api.ts';
import type { Sending } from '#web/features/uploads/upload-queue.ts';
import { ApiError } from '#web/lib/api.ts';
import { boot } from '#web/lib/boot.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import { UploadPreview } from './upload-preview.tsx';

const valuesOf = ({ title, week, year, genre, description, draft }: Upload) => ({
  title,
  week,
  year,
  genre,
  description,
  chapters: draft.chapters ?? [],
  isSubscriberOnly: draft.isSubscriberOnly ?? false,
  previewStart: draft.previewStart ?? null,
  publishAt: draft.release ? toPublishAt(draft.release, Date.now()) : null,
});

type UploadDetailsProps = { upload: Upload; sending: Sending | null; onClose: () => void };

/** Title, week, tracklist and the rest, while the file is still on its way. */
export function UploadDetails({ upload, sending, onClose }: UploadDetailsProps) {
  const client = useQueryClient();
  const { data: facets } = useQuery(catalogueFacetsQuery);

  /** A file that has become a mix meanwhile is edited as one. */
  async function save(change: MixChange) {
    try {
      await saveUploadDraft(upload.id, { ...change, version: upload.version });
    } catch (error) {
      const track = upload.track;
      if (!(error instanceof ApiError && error.code === 'upload_over' && track)) throw error;
      await saveMix(track.id, { ...change, version: track.version });
    }
    await refreshUploads(client);
    showToast({ title: 'Saved' });
    onClose();
  }

  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
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
          <MixEditor
            key={`${upload.id}-${upload.version}`}
            values={valuesOf(upload)}
            timeZone={boot.timeZone}
            genres={facets?.genres ?? []}
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
          </MixEditor>
        </div>
      </SheetContent>
    </Sheet>
  );
}
