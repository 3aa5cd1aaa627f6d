import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { LookLink, MAX_LINKS } from '#contract/look.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/forms/field.tsx';
import { CircleAlert } from '#web/ui/icons.ts';
import { settingFields } from '#web/admin/site/settings/setting-fields.ts';
import { useSettingsDraft } from '#web/admin/site/settings/settings-form.tsx';

/** Names and addresses of the operator’s other places. */
export function LinksSetting() {
  const { typed, errors, change } = useSettingsDraft();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const { links } = typed;
  const { label, hint } = settingFields.links;
  const error = errors.links;
  const set = (next: LookLink[]) => change('links', next);
  const edit = (index: number, part: Partial<LookLink>) =>
    set(links.map((link, at) => (at === index ? { ...link, ...part } : link)));
  const focusLast = (next: LookLink[]) => {
    flushSync(() => set(next));
    list.current?.querySelector<HTMLElement>('li:last-child input')?.focus();
  };
  return (
    <div role="group" aria-labelledby={id} aria-describedby={`${id}-hint`} className="grid gap-1.5">
      <span id={id} className="font-medium">
        {label}
      </span>
      <ul ref={list} className="grid gap-2">
        {links.map((link, index) => {
          const isWrong = error !== undefined && !LookLink.safeParse(link).success;
          const shared = {
            name: 'links',
            'aria-invalid': isWrong || undefined,
            className: inputClass,
          };
          return (
            // The list has no other identity than its order.
            <li
              key={index}
              className="grid gap-2 @md/content:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
            >
              <input
                {...shared}
                aria-label={`Name of link ${index + 1}`}
                placeholder="SoundCloud"
                value={link.label}
                onChange={({ target }) => edit(index, { label: target.value })}
              />
              <input
                {...shared}
                aria-label={`Address of link ${index + 1}`}
                placeholder="soundcloud.com/you"
                inputMode="url"
                autoCapitalize="none"
                spellCheck={false}
                value={link.url}
                onChange={({ target }) => edit(index, { url: target.value })}
              />
              <Button
                variant="quiet"
                className="justify-self-end"
                aria-label={`Remove link ${index + 1}`}
                onClick={() => focusLast(links.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            </li>
          );
        })}
      </ul>
      {links.length < MAX_LINKS && (
        <Button
          variant="line"
          size="sm"
          className="justify-self-start"
          onClick={() => focusLast([...links, { label: '', url: '' }])}
        >
          Add a link
        </Button>
      )}
      <p
        id={`${id}-hint`}
        className={`flex items-start gap-1.5 text-13 ${error ? 'text-danger' : 'text-text-3'}`}
      >
        {error && <CircleAlert className="mt-px size-4 shrink-0" />}
        {error ?? hint}
      </p>
    </div>
  );
}
