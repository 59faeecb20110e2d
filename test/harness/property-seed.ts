import fc from 'fast-check'

/**
 * The seed of property tests. It is fixed, so that a correct change never fails by chance. `PROPERTY_SEED=N npm test`
 * uses other inputs, `PROPERTY_SEED=random` new inputs in each run.
 */
const { PROPERTY_SEED = '1' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })
