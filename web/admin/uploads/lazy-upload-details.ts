import { lazyPanel } from '#web/ui/overlays/lazy-overlay.tsx';

/** The pages load it once they show: the editor of a mix is most of their code. */
export const LazyUploadDetails = lazyPanel(() => import('./upload-details.tsx'), 'UploadDetails');
