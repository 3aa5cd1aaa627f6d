import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchSignals } from '#web/lib/live.ts';

/** Whatever happens to uploads and mixes is shown at once, without asking again and again. */
export function useCatalogueSignals(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      watchSignals((topic) => {
        if (topic !== 'admin:tracks' && topic !== 'all') return;
        void client.invalidateQueries({ queryKey: ['/api/admin/uploads'] });
        void client.invalidateQueries({ queryKey: ['/api/admin/tracks'] });
      }),
    [client],
  );
}
