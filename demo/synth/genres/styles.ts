import { afroHouse } from './afro-house.ts';
import { amapiano } from './amapiano.ts';
import { ambient } from './ambient.ts';
import { brokenBeat } from './broken-beat.ts';
import { deepHouse } from './deep-house.ts';
import { drumAndBass } from './drum-and-bass.ts';
import { gqom } from './gqom.ts';
import { kwaito } from './kwaito.ts';
import { lofiHouse } from './lo-fi-house.ts';
import type { Recipe } from './recipe.ts';
import { techno } from './techno.ts';

/** Recipes by the name of the genre. */
export const RECIPES = {
  'Afro House': afroHouse,
  Amapiano: amapiano,
  Ambient: ambient,
  'Broken Beat': brokenBeat,
  'Deep House': deepHouse,
  'Drum & Bass': drumAndBass,
  Gqom: gqom,
  Kwaito: kwaito,
  'Lo-fi House': lofiHouse,
  Techno: techno,
} satisfies Record<string, Recipe>;

export type Style = keyof typeof RECIPES;

export const STYLES = Object.keys(RECIPES) as Style[];
