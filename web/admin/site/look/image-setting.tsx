import { useId, useRef, useState } from 'react';
import { LOOK_IMAGE_MAX_BYTES } from '#contract/admin/look.ts';
import type { LookImageKind } from '#contract/look.ts';
import { call, describeFailure } from '#web/lib/api/api.ts';
import { formatNumber } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { CircleAlert } from '#web/ui/icons.ts';
import { settingFields, type ChosenImage } from '#web/admin/site/settings/setting-fields.ts';
import { useSettingsDraft } from '#web/admin/site/settings/settings-form.tsx';

const accepted: Record<LookImageKind, string> = {
  logo: 'image/svg+xml,image/png',
  picture: 'image/jpeg,image/png,image/webp,image/avif',
  icon: 'image/png,image/svg+xml,image/jpeg,image/webp',
};

const MEGABYTE = 1024 * 1024;

/** What is wrong with a file, before it is sent. */
function findFileProblem({ size, type }: File): string | null {
  if (size > LOOK_IMAGE_MAX_BYTES)
    return `This file has ${formatNumber(Math.ceil(size / MEGABYTE))} MB. Use one of at most ${LOOK_IMAGE_MAX_BYTES / MEGABYTE} MB.`;
  if (size === 0) return 'This file is empty.';
  return type.startsWith('image/') ? null : 'This file isn’t a picture.';
}

const joinWords = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** A logo is only a shape, so it is shown as one. */
function Shown({ kind, image }: { kind: LookImageKind; image: ChosenImage | null }) {
  if (!image)
    return (
      <span className="grid size-20 shrink-0 place-items-center rounded-sleeve border border-dashed border-line-strong text-13 text-text-3">
        None
      </span>
    );
  if (kind === 'logo')
    return (
      <i
        role="img"
        aria-label="The logo"
        className="site-logo h-20 w-32 shrink-0 [mask-position:center]!"
        style={{ ['--logo' as string]: `url("${image.preview}")` }}
      />
    );
  return (
    <img
      src={image.preview}
      alt={settingFields[kind].label}
      className="size-20 shrink-0 rounded-sleeve object-cover"
    />
  );
}

/** Chooses a picture of the look. It is checked at once, and public once it is saved. */
export function ImageSetting({ name }: { name: LookImageKind }) {
  const { typed, errors, change } = useSettingsDraft();
  const { label, hint } = settingFields[name];
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<{ isBusy?: true; problem?: string; leftOut?: string[] }>({});
  const image = typed[name];
  const problem = state.problem ?? errors[name];

  async function choose(file: File): Promise<void> {
    const wrong = findFileProblem(file);
    if (wrong !== null) return setState({ problem: wrong });
    setState({ isBusy: true });
    try {
      const { leftOut, ...upload } = await call('POST /api/admin/look/:kind', {
        params: { kind: name },
        body: file,
      });
      change(name, { name: upload.name, preview: upload.preview });
      setState({ leftOut });
    } catch (error) {
      setState({ problem: describeFailure(error, 'Couldn’t use this picture.') });
    }
  }

  const about = problem ?? (state.isBusy ? 'Reading the picture…' : hint);
  return (
    <div role="group" aria-labelledby={id} aria-describedby={`${id}-about`}>
      <span id={id} className="font-medium">
        {label}
      </span>
      <div className="mt-1.5 flex flex-wrap items-center gap-4">
        <Shown kind={name} image={image} />
        <div className="flex flex-wrap gap-2">
          <Button
            ref={button}
            name={name}
            size="sm"
            variant="line"
            aria-label={image ? `Replace: ${label}` : `Choose a file: ${label}`}
            aria-disabled={state.isBusy}
            onClick={() => !state.isBusy && input.current?.click()}
          >
            {image ? 'Replace' : 'Choose a file'}
          </Button>
          {image && (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Remove: ${label}`}
              onClick={() => {
                setState({});
                change(name, null);
                button.current?.focus();
              }}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <p
        id={`${id}-about`}
        role={problem ? 'alert' : 'status'}
        className={`mt-1.5 flex items-start gap-1.5 text-13 ${problem ? 'text-danger' : 'text-text-3'}`}
      >
        {problem && <CircleAlert className="mt-px size-4 shrink-0" />}
        {about}
      </p>
      {state.leftOut && state.leftOut.length > 0 && (
        <p className="mt-1 text-13 text-text-2">
          We left out what a logo can’t have: {joinWords(state.leftOut)}. See below whether it still
          looks right.
        </p>
      )}
      <input
        ref={input}
        type="file"
        accept={accepted[name]}
        className="sr-only"
        tabIndex={-1}
        aria-label={`${label}: file`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void choose(file);
        }}
      />
    </div>
  );
}
