import { expect, it } from 'vitest';
import { describeSupport } from './new-mixes-switch.tsx';

it.each(['background', 'installed', 'page'] as const)(
  'promises Wi-Fi only where the browser knows it: %s',
  (support) => {
    expect(describeSupport(support, true)).toContain('Never on mobile data');
    const onComputer = describeSupport(support, false);
    expect(onComputer).not.toMatch(/on Wi-Fi|Never on mobile data/);
    expect(onComputer).toContain('It takes a phone’s hotspot for Wi-Fi.');
  },
);
