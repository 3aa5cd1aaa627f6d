import { flushSync } from 'react-dom';

const valueOf = (field: HTMLInputElement): string =>
  field.type === 'checkbox' || field.type === 'radio' ? String(field.checked) : field.value;

/**
 * Changes a form by a button that disappears, and moves the focus to the first field that says something
 * else now; to the submit button if none does.
 */
export function focusChanged(area: Element | null | undefined, change: () => void): void {
  const list = () => [
    ...(area?.querySelectorAll<HTMLInputElement>(
      'input:not([type=file], [type=hidden]), textarea, select',
    ) ?? []),
  ];
  const before = list().map(valueOf);
  flushSync(change);
  const fields = list();
  const changed = fields.find((field, index) => valueOf(field) !== before[index]);
  const submit = area?.querySelector<HTMLElement>('[type=submit]');
  (changed ?? submit ?? fields[0])?.focus();
}
