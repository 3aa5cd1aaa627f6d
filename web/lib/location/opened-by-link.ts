let isByLink = false;

/** Not the page that the server sent, and not one people went back to, where they were further down. */
export const isOpenedByLink = (): boolean => isByLink;

export function noteLinkOpened(): void {
  isByLink = true;
}

if (typeof window !== 'undefined')
  window.addEventListener('popstate', () => {
    isByLink = false;
  });
