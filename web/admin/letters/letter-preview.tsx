import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LetterContent } from '#contract/admin/letters.ts';
import { LoadFailure } from '#web/ui/loaded.tsx';
import { Segmented } from '#web/ui/forms/segmented.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { previewQuery } from './api.ts';

const LOOKS = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'text', label: 'Text' },
] as const;
type LetterLook = (typeof LOOKS)[number]['value'];

const DARK_MEDIA = /@media \(prefers-color-scheme:\s*dark\)/g;

/** A mail follows the theme of whoever reads it; here it shows the one that was chosen. */
const showTheme = (html: string, look: 'light' | 'dark'): string =>
  html
    .replace(DARK_MEDIA, look === 'dark' ? '@media all' : '@media not all')
    // A link in it opens its page beside the editor.
    .replace('<head>', '<head><base target="_blank">');

const PAUSE_MS = 400;

/** What was typed when somebody stopped typing. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The letter as it will arrive, in both themes and as the text that comes with it. */
export function LetterPreview({ content }: { content: LetterContent }) {
  const [look, setLook] = useState<LetterLook>('light');
  const query = useQuery(previewQuery(useSettled(content)));
  const { data } = query;
  return (
    <section
      aria-label="Preview"
      className="flex flex-col gap-3 @4xl/content:sticky @4xl/content:top-20"
    >
      <Segmented
        label="Preview as"
        className="w-fit"
        options={LOOKS}
        value={look}
        onValueChange={setLook}
      />
      <LoadFailure query={query} look="line" failed="Couldn’t load the preview." />
      {data && (
        <p className="text-13 break-words text-text-2">
          {data.from && `From ${data.from} · `}
          <span className="font-semibold text-text">{data.subject}</span>
        </p>
      )}
      {!data && !query.error && <Skeleton className="h-[32rem] rounded-panel" />}
      {data &&
        (look === 'text' ? (
          <pre className="max-h-[70vh] overflow-y-auto rounded-panel bg-surface p-4 text-13 break-words whitespace-pre-wrap">
            {data.text}
          </pre>
        ) : (
          <iframe
            title="The letter"
            // Nothing in it runs, and it knows nothing of this page.
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            srcDoc={showTheme(data.html, look)}
            className="h-[70vh] min-h-96 w-full rounded-panel border border-line"
          />
        ))}
    </section>
  );
}
