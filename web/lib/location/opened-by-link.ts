let isByLink = false;

/** Not the page that the server sent, and not one reached with Back, which restores the scroll position. */
export const isOpenedByLink = (): boolean => isByLink;

export function noteLinkOpened(): void {
  isByLink = true;
}

if (typeof window !== 'undefined')
  window.addEventListener('popstate', () => {
    isByLink = false;
  });
