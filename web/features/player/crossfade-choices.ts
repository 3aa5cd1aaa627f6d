export const CROSSFADES = [0, 3, 6, 9, 12];
