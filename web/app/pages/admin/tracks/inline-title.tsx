import { useState } from 'react';
import type { CatalogueTrack } from '#contract/catalogue.ts';
import { TrackFields } from '#contract/track-fields.ts';
import { saveTrack } from '#web/features/catalogue/api.ts';
import { describeFailure } from '#web/lib/api.ts';
import { inputClass } from '#web/ui/forms/field.tsx';

type InlineTitleProps = { mix: CatalogueTrack; onSaved: () => void };

/** The title where it stands: Enter saves, Escape leaves it as it was. */
export function InlineTitle({ mix, onSaved }: InlineTitleProps) {
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (text === null)
    return (
      <button
        type="button"
        aria-label={`Rename ${mix.title}`}
        className="block max-w-full truncate text-left text-16 font-semibold underline-offset-4 hover:underline"
        onClick={() => setText(mix.title)}
      >
        {mix.title}
      </button>
    );
  async function save() {
    const parsed = TrackFields.shape.title.safeParse(text);
    if (!parsed.success)
      return setError(parsed.error.issues[0]?.message ?? 'Give the mix a title.');
    try {
      if (parsed.data !== mix.title)
        await saveTrack(mix.id, { title: parsed.data, version: mix.version });
      setText(null);
      setError(null);
      onSaved();
    } catch (problem) {
      setError(describeFailure(problem, 'The title could not be saved.'));
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        aria-label={`Title of ${mix.title}`}
        className={inputClass}
        value={text}
        // The person asked for this field a moment ago.
        ref={(element) => element?.focus()}
        aria-invalid={error ? true : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText(null)}
      />
      {error && (
        <p role="alert" className="mt-1 text-13 text-danger">
          {error}
        </p>
      )}
    </form>
  );
}
