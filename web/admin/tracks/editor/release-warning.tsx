import { TriangleAlert } from '#web/ui/icons.ts';

/** A release that is worth a second look, and can be saved anyway. */
export function ReleaseWarning({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text && (
        <p className="flex items-start gap-1.5 text-13 text-text-2">
          <TriangleAlert className="mt-px size-4 shrink-0 text-warning" />
          {text}
        </p>
      )}
    </div>
  );
}
