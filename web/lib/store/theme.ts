import { createStore } from './store.ts';

export type Theme = 'dark' | 'light';
const STORAGE_KEY = 'color-theme';
/** The background of each theme, which phones show around the page. */
const BROWSER_COLORS: Record<Theme, string> = { dark: '#100c09', light: '#f6f2ea' };

export const themeStore = createStore<Theme>('dark');
// An inline script has applied the stored theme before the first paint.
if (typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light')
  themeStore.set('light');

function apply(theme: Theme): void {
  if (theme === 'light') document.documentElement.dataset.theme = 'light';
  else delete document.documentElement.dataset.theme;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', BROWSER_COLORS[theme]);
  themeStore.set(theme);
}

export function setTheme(theme: Theme): void {
  apply(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the theme lasts until the page is closed.
  }
}

/** Applies a theme chosen in another tab. */
export function watchThemeInOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY) apply(event.newValue === 'light' ? 'light' : 'dark');
  });
}
