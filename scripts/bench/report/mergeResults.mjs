// Keeps the results of areas that did not run this time.

/** @typedef {import('./figures.mjs').Figure} Figure */
/** @typedef {{ cores: number, model: string | undefined, node: string }} Machine */
/** @typedef {Figure & { measuredAt: string, machine: Machine }} Measured */
/** @typedef {{ results: Readonly<Record<string, readonly Measured[]>> }} Results the contents of bench.json */

/**
 * Replaces the figures of an area. Optional ones that were not measured again are kept, and all others after a run of a part of the
 * area (`--only`).
 *
 * @param {Results} earlier
 * @param {{ area: string, figures: readonly Figure[], isPart: boolean, measuredAt: string, machine: Machine }} run
 * @returns {Results}
 */
export function mergeResults({ results }, { area, figures, isPart, measuredAt, machine }) {
  const names = new Set(figures.map(({ name }) => name))
  const kept = (results[area] ?? []).filter(
    ({ name, isOptional }) => !names.has(name) && (isPart || isOptional === true),
  )
  const measured = figures.map((figure) => ({ ...figure, measuredAt, machine }))
  return { results: { ...results, [area]: [...kept, ...measured] } }
}

/**
 * Parses bench.json. Returns no results for a file in another form, such as that of an earlier version.
 *
 * @param {string} text
 * @returns {Results}
 */
export function parseResults(text) {
  try {
    const { results } = JSON.parse(text)
    const isCurrent = Object.values(results).every(
      (figures) => Array.isArray(figures) && figures.every(({ name, measuredAt }) => name && measuredAt),
    )
    return isCurrent ? { results } : { results: {} }
  } catch {
    return { results: {} }
  }
}
