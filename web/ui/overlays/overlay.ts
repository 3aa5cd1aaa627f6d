/** What dialogs and sheets share, so that they open and close alike. */
export const scrimClass =
  'fixed inset-0 z-80 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in';
