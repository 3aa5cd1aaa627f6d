import { ListX } from 'lucide-react';
import { MenuItem } from '#web/ui/overlays/menu.tsx';

export function RemoveItem({ onRemove }: { onRemove: () => void }) {
  return (
    <MenuItem onSelect={onRemove}>
      <ListX aria-hidden strokeWidth={1.75} />
      Remove from this playlist
    </MenuItem>
  );
}
