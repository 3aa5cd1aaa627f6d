import { useRef, useState } from 'react';
import { describeFailure } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

type CoverFieldProps = {
  week: number;
  /** Undefined before the track exists. */
  trackId?: string;
  coverUrl: string | null;
  onPick: (file: File) => Promise<unknown>;
  onRemove?: (() => Promise<unknown>) | undefined;
};

/** A track without a cover shows its drawn sleeve. */
export function CoverField({ week, trackId, coverUrl, onPick, onRemove }: CoverFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  async function save(change: () => Promise<unknown>) {
    setFailure(null);
    try {
      await change();
    } catch (error) {
      setFailure(describeFailure(error, 'Couldn’t save the cover.'));
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="w-24 shrink-0">
        <Sleeve week={week} trackId={trackId} coverUrl={coverUrl} />
      </div>
      <div className="grid min-w-0 gap-2">
        <span className="font-medium">Cover</span>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="line" onClick={() => input.current?.click()}>
            {coverUrl ? 'Replace' : 'Choose a picture'}
          </Button>
          {coverUrl && onRemove && (
            <Button size="sm" variant="quiet" onClick={() => void save(onRemove)}>
              Remove
            </Button>
          )}
        </div>
        <p
          className={`text-13 ${failure ? 'text-danger' : 'text-text-3'}`}
          role={failure ? 'alert' : undefined}
        >
          {failure ?? 'JPEG, PNG or WebP, up to 20 MB.'}
        </p>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif"
          className="sr-only"
          tabIndex={-1}
          aria-label="Cover picture"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = '';
            if (file) void save(() => onPick(file));
          }}
        />
      </div>
    </div>
  );
}
