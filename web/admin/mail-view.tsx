import { useEffect, useState } from 'react';
import type { MailPreview } from '#contract/admin/mails.ts';
import { Segmented } from '#web/ui/forms/segmented.tsx';

const LOOKS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'text', label: 'Text' },
] as const;
const WIDTHS = [
  { value: 'wide', label: 'Computer' },
  { value: 'phone', label: 'Phone' },
] as const;
type MailLook = (typeof LOOKS)[number]['value'];
type MailWidth = (typeof WIDTHS)[number]['value'];

const DARK_MEDIA = /@media \(prefers-color-scheme:\s*dark\)/g;

/** A mail follows the theme of whoever reads it; here it shows the one that was chosen. */
const showTheme = (html: string, look: MailLook): string =>
  html
    .replace(DARK_MEDIA, look === 'dark' ? '@media all' : '@media not all')
    // A link in it opens its page beside this one.
    .replace('<head>', '<head><base target="_blank">');

/** A mail as it arrives: in both themes, on a phone, and as the text that comes with it. */
export function MailView({ mail }: { mail: Omit<MailPreview, 'name' | 'to'> }) {
  const [look, setLook] = useState<MailLook>('light');
  const [width, setWidth] = useState<MailWidth>('wide');
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Segmented label="Show as" options={LOOKS} value={look} onValueChange={setLook} />
        {look !== 'text' && (
          <Segmented
            label="Width"
            // A phone's own window has the width of one.
            className="@max-lg/content:hidden"
            options={WIDTHS}
            value={width}
            onValueChange={setWidth}
          />
        )}
      </div>
      <p className="text-13 wrap-anywhere text-text-2">
        {mail.from !== null && `From ${mail.from} · `}
        <span className="font-semibold text-text">{mail.subject}</span>
      </p>
      {look === 'text' ? (
        <pre className="h-[70vh] min-h-96 overflow-y-auto rounded-panel bg-surface p-4 text-13 wrap-anywhere whitespace-pre-wrap">
          {mail.text}
        </pre>
      ) : (
        <div className={width === 'phone' ? 'flex justify-center rounded-panel bg-raised p-3' : ''}>
          <iframe
            title={`The e-mail “${mail.subject}”`}
            // Nothing in it runs, and it knows nothing of this page.
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            srcDoc={showTheme(mail.html, look)}
            className={`h-[70vh] min-h-96 rounded-panel ring-1 ring-line ${width === 'phone' ? 'w-full max-w-[360px]' : 'w-full'}`}
          />
        </div>
      )}
    </div>
  );
}

const PAUSE_MS = 400;

/** What was typed when somebody stopped typing. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
