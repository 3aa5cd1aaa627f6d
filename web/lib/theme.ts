import { createStore } from './store.ts';

export type Theme = 'dark' | 'light';
const STORAGE_KEY = 'color-theme';

/** The page's own script has applied the stored theme before the first paint. */
export const themeStore = createStore<Theme>(
  document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
);

function apply(theme: Theme): void {
  if (theme === 'light') document.documentElement.dataset.theme = 'light';
  else delete document.documentElement.dataset.theme;
  themeStore.set(theme);
}

export function setTheme(theme: Theme): void {
  apply(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // A browser that refuses storage still shows the chosen theme until the page is left.
  }
}

/** Other tabs follow at once. */
export function followThemeOfOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY) apply(event.newValue === 'light' ? 'light' : 'dark');
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
