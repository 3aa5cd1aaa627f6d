import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import { DropZone } from '#web/admin/uploads/drop-zone.tsx';
import { tellUnusedTracklists } from '#web/admin/uploads/tell-unused-tracklists.ts';
import { addFiles } from '#web/admin/uploads/upload-queue.ts';
import { UploadRow } from '#web/admin/uploads/upload-row.tsx';
import { useUploads } from '#web/admin/uploads/use-uploads.ts';

/** A week without a mix takes one. */
export function NoMix({ week }: { week: WeekOfYear }) {
  const { items, now, accept, cancel } = useUploads();
  const [, navigate] = useLocation();
  const openUploads = () => navigate('/admin/upload');
  const unfinished = items.filter(({ upload }) => !upload?.track);
  /** Of the files that were dropped here: as soon as one is a mix, the page shows that. */
  const [keys, setKeys] = useState<readonly string[]>([]);
  const doneId = items.find(({ sending }) => sending && keys.includes(sending.key))?.upload?.track
    ?.id;
  useEffect(() => {
    if (doneId !== undefined) navigate(`/admin?mix=${doneId}`, { replace: true });
  }, [doneId, navigate]);
  return (
    <section
      data-week={week.week}
      aria-labelledby="staged"
      className="flex flex-col gap-5 bg-week-wash p-4 @3xl/content:p-[22px]"
    >
      <div className="flex flex-wrap items-center gap-x-7 gap-y-3">
        <span aria-hidden className="type-numeral-small text-[clamp(72px,12cqi,112px)] text-week">
          {week.week}
        </span>
        <h2 id="staged" className="type-section text-28 @3xl/content:text-40">
          No mix for week {week.week} yet
        </h2>
      </div>
      <DropZone
        title="Drop the mix here"
        isMultiple={false}
        takesTracklists
        onFiles={(files) => {
          const added = addFiles(files);
          setKeys([...keys, ...added.keys]);
          tellUnusedTracklists(added.unused);
        }}
      />
      {unfinished.length > 0 && (
        <ol aria-label="Uploads" className="-mt-4">
          {unfinished.map(({ key, upload, sending }) => (
            <UploadRow
              key={key}
              now={now}
              upload={upload}
              sending={sending}
              onEdit={openUploads}
              onAccept={accept}
              onCancel={cancel}
            />
          ))}
        </ol>
      )}
    </section>
  );
}
