import type { z } from 'zod';

export type FieldErrors = Record<string, string>;

/** The first error of each field. Errors of the whole form are under `form`. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const name = String(issue.path[0] ?? 'form');
    errors[name] ??= issue.message;
  }
  return errors;
}

export type ParsedForm<Data> =
  | { data: Data; errors?: undefined }
  | { data?: undefined; errors: FieldErrors };

/** Parses a form with the schema the server uses for the same input. */
export function parseForm<S extends z.ZodType>(
  schema: S,
  form: HTMLFormElement,
): ParsedForm<z.output<S>> {
  return parseValues(schema, Object.fromEntries(new FormData(form)));
}

export function parseValues<S extends z.ZodType>(
  schema: S,
  values: unknown,
): ParsedForm<z.output<S>> {
  const result = schema.safeParse(values);
  if (result.success) return { data: result.data };
  return { errors: fieldErrors(result.error.issues) };
}

/** Of a field; empty for anything else. */
export const nameOf = (element: EventTarget): string =>
  'name' in element ? String(element.name) : '';

/** Focuses the first field with an error, so that it is in view and read out. */
export function focusFirstError(form: HTMLFormElement, errors: FieldErrors): void {
  for (const element of form.elements) {
    if (element instanceof HTMLElement && nameOf(element) in errors) {
      element.focus();
      return;
    }
  }
}

/** The text of a field; empty for files and missing fields. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
