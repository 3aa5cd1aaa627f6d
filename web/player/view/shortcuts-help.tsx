import { shortcutHelp } from '#web/player/session/shortcuts.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';

type ShortcutsHelpProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function ShortcutsHelp({ open, onOpenChange }: ShortcutsHelpProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keyboard shortcuts">
        <dl>
          {shortcutHelp.map(({ keys, label }) => (
            <div
              key={label}
              className="flex min-h-10 items-center justify-between gap-4 border-t border-line py-1.5"
            >
              <dt className="text-text-2">{label}</dt>
              <dd className="flex gap-1.5">
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className="min-w-7 rounded-[4px] bg-raised px-2 py-0.5 text-center font-text text-12 font-semibold whitespace-nowrap"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
