import { useQuery } from '@tanstack/react-query';
import type { LetterContent } from '#contract/admin/letters.ts';
import { MailView, useSettled } from '#web/admin/mail-view.tsx';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { previewQuery } from './api.ts';

/** The letter as it will arrive. */
export function LetterPreview({ content }: { content: LetterContent }) {
  const query = useQuery(previewQuery(useSettled(content)));
  const { data } = query;
  return (
    <section
      aria-label="Preview"
      className="flex flex-col gap-3 @4xl/content:sticky @4xl/content:top-20"
    >
      <LoadFailure query={query} look="line" failed="Couldn’t load the preview." />
      {data ? (
        <MailView mail={data} />
      ) : (
        !query.error && <Skeleton className="h-[70vh] min-h-96 rounded-panel" />
      )}
    </section>
  );
}
