import { boot } from '#web/lib/store/boot.ts';
import { showToast } from '#web/lib/store/toasts.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Copy, Download } from '#web/ui/icons.ts';

export const RECOVERY_CODES_TEXT = {
  title: 'Save these codes',
  description: 'Each works once if you don’t have your phone. You won’t see them again.',
};

/** Shown only once: the server stores just their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = `${boot.siteName} recovery codes. Each works once.\n\n${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Recovery codes copied' });
    } catch {
      const description = 'Couldn’t copy. Write them down or download them.';
      showToast({ title: 'Error', description, variant: 'destructive' });
    }
  };
  return (
    <>
      <ul
        aria-label="Recovery codes"
        className="grid justify-center gap-y-1 rounded-panel bg-raised p-4 font-mono text-14 tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="line" onClick={() => void copy()}>
          <Copy />
          Copy
        </Button>
        <a
          className={buttonClass({ variant: 'line' })}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          <Download />
          Download
        </a>
      </div>
      <Button size="lg" isBlock className="mt-6" onClick={onDone}>
        I’ve saved them
      </Button>
    </>
  );
}
