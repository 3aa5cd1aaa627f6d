import { SunMoon } from 'lucide-react';
import { useStore } from '#web/lib/store.ts';
import { setTheme, themeStore } from '#web/lib/theme.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function ThemeToggle() {
  const theme = useStore(themeStore);
  const next = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton label={`Switch to ${next} theme`} onClick={() => setTheme(next)}>
      <SunMoon aria-hidden className="size-5" strokeWidth={1.75} />
    </IconButton>
  );
}
