import type { z } from 'zod';

export type FieldErrors = Record<string, string>;

/** One sentence a field, the first that applies; problems of the whole form stand under `form`. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const name = String(issue.path[0] ?? 'form');
    errors[name] ??= issue.message;
  }
  return errors;
}

/** Reads a form's named fields through the schema that the server uses for the same input. */
export function parseForm<S extends z.ZodType>(
  schema: S,
  form: HTMLFormElement,
): { data: z.output<S>; errors?: undefined } | { data?: undefined; errors: FieldErrors } {
  const result = schema.safeParse(Object.fromEntries(new FormData(form)));
  if (result.success) return { data: result.data };
  return { errors: fieldErrors(result.error.issues) };
}

/** The first field with a problem gets the focus, so that it is read out and in view. */
export function focusFirstError(form: HTMLFormElement, errors: FieldErrors): void {
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && element.name in errors) {
      element.focus();
      return;
    }
  }
}

/** What was typed into a field; a file or nothing counts as empty. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
