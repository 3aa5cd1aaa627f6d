import type { Hemisphere } from '../rules/week-colour.ts';

/** Which drawings a site's sleeves use; `all` mixes them. */
export const SLEEVE_FAMILIES = ['all', 'records', 'landscapes', 'patterns'] as const;
export type SleeveFamily = (typeof SLEEVE_FAMILIES)[number];

/** How a site's sleeves are drawn. */
export type SleeveStyle = { hemisphere: Hemisphere; family: SleeveFamily };

export const DEFAULT_SLEEVE_STYLE: SleeveStyle = { hemisphere: 'south', family: 'all' };
