import { useRef, useState, type ReactNode } from 'react';
import { describeFailure } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Sleeve } from '#web/ui/art/sleeve.tsx';

type PictureFieldProps = {
  label: string;
  /** The button that opens the files, for screen readers. */
  inputLabel: string;
  hint?: string;
  /** What it looks like now. */
  picture: ReactNode;
  hasPicture: boolean;
  onPick: (file: File) => Promise<unknown>;
  onRemove?: (() => Promise<unknown>) | undefined;
};

type CoverFieldProps = Pick<PictureFieldProps, 'onPick' | 'onRemove'> & {
  week: number;
  /** Undefined before the track exists. */
  trackId?: string;
  coverUrl: string | null;
};

/** A track without a cover shows its drawn sleeve. */
export const CoverField = ({ week, trackId, coverUrl, ...saving }: CoverFieldProps) => (
  <PictureField
    label="Cover"
    inputLabel="Cover picture"
    picture={<Sleeve week={week} trackId={trackId} coverUrl={coverUrl} />}
    hasPicture={coverUrl !== null}
    {...saving}
  />
);

/** Chooses, replaces and removes a picture; each is saved at once. */
export function PictureField(props: PictureFieldProps) {
  const { label, inputLabel, picture, hasPicture, onPick, onRemove } = props;
  const { hint = 'JPEG, PNG or WebP, up to 20 MB.' } = props;
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  async function save(change: () => Promise<unknown>) {
    setFailure(null);
    try {
      await change();
    } catch (error) {
      setFailure(describeFailure(error, `Couldn’t save the ${label.toLowerCase()}.`));
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      <div className="w-24 shrink-0">{picture}</div>
      <div className="grid min-w-0 gap-2">
        <span className="font-medium">{label}</span>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="line" onClick={() => input.current?.click()}>
            {hasPicture ? 'Replace' : 'Choose a picture'}
          </Button>
          {hasPicture && onRemove && (
            <Button size="sm" variant="quiet" onClick={() => void save(onRemove)}>
              Remove
            </Button>
          )}
        </div>
        <p
          className={`text-13 ${failure ? 'text-danger' : 'text-text-3'}`}
          role={failure ? 'alert' : undefined}
        >
          {failure ?? hint}
        </p>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif"
          className="sr-only"
          tabIndex={-1}
          aria-label={inputLabel}
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
