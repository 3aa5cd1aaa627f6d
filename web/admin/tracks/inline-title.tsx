import { useRef, useState } from 'react';
import type { CatalogueTrack } from '#contract/admin/catalogue.ts';
import { TrackFields } from '#contract/track-fields.ts';
import { saveTrack } from './editor/api.ts';
import { describeFailure } from '#web/lib/api/api.ts';
import { inputClass } from '#web/ui/forms/field.tsx';

type InlineTitleProps = { track: CatalogueTrack; onSaved: () => void };

/** Click the title to edit it: Enter saves, Escape cancels. */
export function InlineTitle({ track, onSaved }: InlineTitleProps) {
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const wasEdited = useRef(false);
  if (text === null)
    return (
      <button
        // The field that had the focus is gone.
        ref={(element) => {
          if (!element || !wasEdited.current) return;
          wasEdited.current = false;
          element.focus();
        }}
        type="button"
        aria-label={`Rename ${track.title}`}
        className="block max-w-full truncate text-left text-16 font-semibold underline-offset-4 hover:underline"
        onClick={() => {
          wasEdited.current = true;
          setText(track.title);
        }}
      >
        {track.title}
      </button>
    );
  async function save() {
    const parsed = TrackFields.shape.title.safeParse(text);
    if (!parsed.success)
      return setError(parsed.error.issues[0]?.message ?? 'Give the mix a title.');
    try {
      if (parsed.data !== track.title)
        await saveTrack(track.id, { title: parsed.data, version: track.version });
      setText(null);
      setError(null);
      onSaved();
    } catch (problem) {
      setError(describeFailure(problem, 'Couldn’t save the title.'));
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
        aria-label={`Title of ${track.title}`}
        className={inputClass}
        value={text}
        // The user has just clicked the title.
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
