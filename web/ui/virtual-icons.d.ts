declare module 'virtual:icons/*' {
  import type { IconComponent } from '#web/ui/create-icon.ts';

  const icon: IconComponent;
  export default icon;
}
