import { copyCode } from '#web/features/sharing/copy-link.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Copy } from '#web/ui/icons.ts';

/** Lines to copy into another program. */
export const Code = ({ name, children }: { name: string; children: string }) => (
  <div className="flex w-full items-start gap-1 rounded-field bg-raised">
    <pre className="min-w-0 flex-1 px-3 py-2.5 font-mono text-13 break-all whitespace-pre-wrap text-text">
      {children}
    </pre>
    <IconButton label={`Copy: ${name}`} onClick={() => void copyCode(children, name)}>
      <Copy />
    </IconButton>
  </div>
);
