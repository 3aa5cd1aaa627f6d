import { Copy, Download } from '#web/ui/icons.ts';
import { boot } from '#web/lib/boot.ts';
import { showToast } from '#web/lib/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';

export const RECOVERY_CODES_TEXT = {
  title: 'Keep these codes',
  description:
    'Each one lets you in once when you do not have your phone. They are shown only now.',
};

/** Shown once: what the server keeps of them cannot be turned back. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${boot.siteName} recovery codes, each good for one login\n\n${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Recovery codes copied' });
    } catch {
      const description = 'This browser does not let us copy. Write them down, or download them.';
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
  };
  return (
    <>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-panel bg-raised p-4 font-mono text-14 tabular-nums sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="line" onClick={() => void copy()}>
          <Copy aria-hidden strokeWidth={1.75} />
          Copy
        </Button>
        <a
          className={buttonClass({ variant: 'line' })}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          <Download aria-hidden strokeWidth={1.75} />
          Download
        </a>
      </div>
      <Button size="lg" isBlock className="mt-6" onClick={onDone}>
        I have kept them
      </Button>
    </>
  );
}
