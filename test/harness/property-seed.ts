import fc from 'fast-check'

/**
 * The same inputs in every run, so that a change which breaks nothing is never refused by chance.
 * `PROPERTY_SEED=N npm test` draws others, `PROPERTY_SEED=random` others each time: run that to look for more.
 */
const { PROPERTY_SEED = '1' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })
