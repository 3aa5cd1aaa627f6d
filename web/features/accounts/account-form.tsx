import { useState, type FormEvent, type ReactNode } from 'react';
import type { z } from 'zod';
import { focusFirstError, parseForm, type FieldErrors } from '#web/lib/parse-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { getFieldErrors } from './api.ts';

type AccountFormProps<S extends z.ZodType> = {
  schema: S;
  submitLabel: string;
  isDestructive?: boolean;
  /** Throws if the server rejects it; field errors show at their fields. */
  onSubmit: (data: z.output<S>) => Promise<unknown>;
  /** The message above the form after `onSubmit` failed. */
  describeFailure: (error: unknown) => string;
  children: (errors: FieldErrors) => ReactNode;
};

/** Validates with the server's own rules before sending, then shows the server's errors. */
export function AccountForm<S extends z.ZodType>({
  schema,
  submitLabel,
  isDestructive = false,
  onSubmit,
  describeFailure,
  children,
}: AccountFormProps<S>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const form = event.currentTarget;
    const parsed = parseForm(schema, form);
    setErrors(parsed.errors ?? {});
    setFailure(parsed.errors?.form ?? null);
    if (parsed.errors) return focusFirstError(form, parsed.errors);
    setSending(true);
    try {
      await onSubmit(parsed.data);
    } catch (error) {
      setFailure(describeFailure(error));
      setErrors(getFieldErrors(error));
      focusFirstError(form, getFieldErrors(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {failure && <Notice tone="danger" title={failure} />}
      {children(errors)}
      <Button
        type="submit"
        size="lg"
        isBlock
        variant={isDestructive ? 'danger' : 'primary'}
        aria-disabled={isSending}
      >
        {submitLabel}
      </Button>
    </form>
  );
}
