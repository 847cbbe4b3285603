/**
 * The tags of tests that take too long for `npm test`, such as tests that kill processes, compare versions of peers, or try
 * thousands of inputs. `npm run test:TAG` runs them.
 */
export const longRuns = /** @type {const} */ (['faults', 'abuse', 'browsers'])

/** The tags as Vitest defines them. */
export const testTags = longRuns.map((name) => ({ name, description: `Runs with npm run test:${name}.` }))
