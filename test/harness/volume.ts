/** Returns the number of inputs of a test: `few` in `npm test`, `many` in `npm run test:volume`, which runs before a release. */
export const volume = (few: number, many: number): number => (process.env.VOLUME === 'many' ? many : few)
