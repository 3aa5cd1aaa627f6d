import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { MomentLine } from '#contract/moments.ts';
import { cleanMomentText, countCharacters, MAX_MOMENT_TEXT } from '#contract/rules/moments.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Form } from '#web/ui/forms/form.tsx';
import { useTopOverlay } from '#web/ui/overlays/overlay.ts';
import { parseForm } from '#web/ui/forms/parse-form.ts';

type MomentFormProps = {
  at: number;
  /** The line that is changed. */
  text?: string;
  /** Something to know before writing. */
  note?: string | undefined;
  onSubmit: (text: string) => Promise<unknown>;
  onClose: () => void;
  /** It went with the player when the mix ended, or with the page, and this was typed. */
  onInterrupted?: (text: string) => void;
};

/** One line for a second of the mix, which plays on meanwhile. Escape closes it. */
export function MomentForm({ at, text = '', note, onSubmit, ...rest }: MomentFormProps) {
  const [typed, setTyped] = useState(text);
  const interrupted = useRef<() => void>(null);
  useEffect(() => {
    const line = cleanMomentText(typed);
    interrupted.current = line === text ? null : () => rest.onInterrupted?.(line);
  });
  useEffect(() => () => interrupted.current?.(), []);
  const onClose = () => {
    interrupted.current = null;
    rest.onClose();
  };
  const left = MAX_MOMENT_TEXT - countCharacters(cleanMomentText(typed));
  const count = left < 0 ? `${-left} too many` : `${left} characters left`;
  // Escape closes it also while a toast is open, which would pass it on to the player.
  useTopOverlay(true, onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the field in it
    <div onKeyDown={onKeyDown} className="w-full max-w-[640px]">
      <Form
        aria-label={text ? 'Change your moment' : 'Leave a moment'}
        className="flex flex-col gap-2.5"
        submitLabel={text ? 'Save' : 'Leave it'}
        busyLabel={text ? 'Saving…' : 'Leaving…'}
        button={{ size: 'sm' }}
        renderSubmit={(button, failure) => (
          <>
            {failure}
            <div className="flex gap-2">
              {button}
              <Button variant="quiet" size="sm" onClick={onClose}>
                Cancel
              </Button>
            </div>
          </>
        )}
        parse={(form) => parseForm(MomentLine, form)}
        onSubmit={async (line) => {
          await onSubmit(line.text);
          onClose();
        }}
        failed="Couldn’t save your moment. Check your connection and try again: what you typed stays here."
      >
        {(errors) => (
          <Field
            // It opens where the button was.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            name="text"
            label={`Your moment at ${formatDuration(at)}`}
            hint={
              <span className="flex flex-wrap justify-between gap-x-4">
                <span>{note ?? 'Members see it with your username.'}</span>
                <span className="tabular">{count}</span>
              </span>
            }
            error={errors.text}
            autoComplete="off"
            enterKeyHint="send"
            dir="auto"
            maxLength={400}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Form>
    </div>
  );
}
