import { configureGlobal } from 'fast-check';

const FIXED_SEED = 20_261_115;

/** A fixed seed makes failures repeatable. Set PROPERTY_SEED to try other cases. */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? FIXED_SEED) });
