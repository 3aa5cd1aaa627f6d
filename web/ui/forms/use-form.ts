import { useState, type FormEvent } from 'react';
import { ApiError, describeFailure } from '#web/lib/api/api.ts';
import { focusFirstError, type FieldErrors, type ParsedForm } from './parse-form.ts';

type FormOptions<Data> = {
  /** Validates before anything is sent. An error named `form` is about the whole form. */
  parse: (form: HTMLFormElement) => ParsedForm<Data> | Promise<ParsedForm<Data>>;
  /** Throws if the server rejects it. */
  onSubmit: (data: Data, form: HTMLFormElement) => Promise<unknown>;
  /** The message when the server gives no reason, or a function that finds the message. */
  failed: string | ((error: unknown) => string);
  /** Renames the server's fields where the form has other names. */
  toFieldErrors?: (fields: FieldErrors) => FieldErrors;
};

/** Submits a form once at a time, and shows the errors of both the parser and the server. */
export function useForm<Data>({ parse, onSubmit, failed, toFieldErrors }: FormOptions<Data>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // In React, a form in a dialog is still inside the form that opened it.
    event.stopPropagation();
    if (isSending) return;
    const form = event.currentTarget;
    setSending(true);
    try {
      const parsed = await parse(form);
      setErrors(parsed.errors ?? {});
      setFailure(parsed.errors?.form ?? null);
      if (parsed.errors) focusFirstError(form, parsed.errors);
      else await onSubmit(parsed.data, form);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      const fieldErrors = toFieldErrors?.(fields) ?? fields;
      setFailure(typeof failed === 'string' ? describeFailure(error, failed) : failed(error));
      setErrors(fieldErrors);
      focusFirstError(form, fieldErrors);
    } finally {
      setSending(false);
    }
  }

  const clearFailure = () => setFailure(null);

  /** Removes the error of a field as soon as the user types in it. */
  function clearOnInput({ target }: FormEvent<HTMLFormElement>): void {
    clearFailure();
    if (!(target instanceof HTMLInputElement) || !(target.name in errors)) return;
    const { [target.name]: _, ...others } = errors;
    setErrors(others);
  }

  return { submit, errors, failure, isSending, clearFailure, clearOnInput };
}
