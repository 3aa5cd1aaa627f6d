import type { FieldErrors } from '#web/ui/forms/parse-form.ts';

type Issue = { path: readonly PropertyKey[]; message: string };

/** The first error of each field, by the name that it has in the form. */
export function toGiftErrors(issues: readonly Issue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) {
    const name = String(path.at(-1) ?? 'form');
    errors[path[0] === 'recipient' && name === 'email' ? 'recipientEmail' : name] ??= message;
  }
  return errors;
}
