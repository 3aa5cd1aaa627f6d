import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react';
import { ApiError, describeFailure } from '#web/lib/api/api.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { focusFirstError, nameOf, type FieldErrors, type ParsedForm } from './parse-form.ts';

type FormOptions<Data> = {
  /** Validates before anything is sent. An error named `form` is about the whole form. */
  parse: (form: HTMLFormElement) => ParsedForm<Data> | Promise<ParsedForm<Data>>;
  /** Throws if the server rejects it. */
  onSubmit: (data: Data, form: HTMLFormElement) => Promise<unknown>;
  /** The message when the server gives no reason, or a function that finds the message. */
  failed: string | ((error: unknown) => string);
  /** What else to say, or to do, about a failure. */
  renderFailure?: (error: unknown) => ReactNode;
  /** Renames the server's fields where the form has other names. */
  toFieldErrors?: (fields: FieldErrors) => FieldErrors;
};

type FormProps<Data> = FormOptions<Data> &
  Pick<ComponentProps<'form'>, 'className' | 'aria-label' | 'ref' | 'onInput'> & {
    submitLabel: string;
    /** While it is sent. */
    busyLabel?: string;
    /** Something else keeps it from being sent. */
    isBlocked?: boolean;
    button?: Pick<ButtonProps, 'variant' | 'size' | 'isBlock' | 'className'>;
    /** Beside the submit button. */
    actions?: ReactNode;
    /** Above everything else. */
    notice?: ReactNode;
    /** Puts the submit button and the failure elsewhere than below and above everything else. */
    renderSubmit?: (button: ReactNode, failure: ReactNode) => ReactNode;
    children: ReactNode | ((errors: FieldErrors) => ReactNode);
  };

/** Validates, sends once at a time, and shows the errors of both the parser and the server. */
export function Form<Data>({ ref, ...props }: FormProps<Data>) {
  const { submitLabel, busyLabel = submitLabel, isBlocked = false, button, actions } = props;
  const { notice, renderFailure, renderSubmit, children } = props;
  const { className = 'flex flex-col gap-5' } = props;
  const { submit, errors, failure, isSending, clearOnInput } = useForm(props);
  const submitButton = (
    <Button type="submit" aria-disabled={isSending || isBlocked} {...button}>
      {isSending ? busyLabel : submitLabel}
    </Button>
  );
  const failureNotice = failure && (
    <Notice tone="danger" title={failure.text}>
      {renderFailure?.(failure.error)}
    </Notice>
  );
  return (
    // Without scripts a form would put its password into the address.
    <form
      ref={ref}
      method="post"
      noValidate
      aria-label={props['aria-label']}
      onSubmit={(event) => (isBlocked ? event.preventDefault() : void submit(event))}
      onInput={(event) => {
        props.onInput?.(event);
        clearOnInput(event);
      }}
      className={className}
    >
      {notice}
      {!renderSubmit && failureNotice}
      {typeof children === 'function' ? children(errors) : children}
      {renderSubmit ? (
        renderSubmit(submitButton, failureNotice)
      ) : actions ? (
        <div className="flex flex-col gap-2 md:flex-row md:flex-wrap">
          {submitButton}
          {actions}
        </div>
      ) : (
        submitButton
      )}
    </form>
  );
}

type Failure = { text: string; error: unknown };

function useForm<Data>({ parse, onSubmit, failed, toFieldErrors }: FormOptions<Data>) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<Failure | null>(null);
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
      setFailure(parsed.errors?.form ? { text: parsed.errors.form, error: null } : null);
      if (parsed.errors) focusFirstError(form, parsed.errors);
      else await onSubmit(parsed.data, form);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      const fieldErrors = toFieldErrors?.(fields) ?? fields;
      const text = typeof failed === 'string' ? describeFailure(error, failed) : failed(error);
      setFailure({ text, error });
      setErrors(fieldErrors);
      focusFirstError(form, fieldErrors);
    } finally {
      setSending(false);
    }
  }

  /** Removes the error of a field as soon as the user types in it. */
  function clearOnInput({ target }: FormEvent<HTMLFormElement>): void {
    setFailure(null);
    const name = nameOf(target);
    if (!(name in errors)) return;
    const { [name]: _, ...others } = errors;
    setErrors(others);
  }

  return { submit, errors, failure, isSending, clearOnInput };
}
