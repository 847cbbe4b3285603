/** What an endpoint did with one question. */
export type Sample = { answered: boolean; milliseconds: number }

/** How many of the last samples count, and what weighs how much. */
const ranking = { samples: 10, stability: 0.7, latency: 0.3 } as const

/** The samples that count after one more. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples, sample].slice(-ranking.samples)
}

/**
 * Puts endpoints in order, best first, by how reliably and how fast each answered. One that has not answered yet
 * counts as faultless and slow: better than one that fails, never better than one that is known to be well. Equals
 * keep their order.
 */
export function rank<endpoint extends { samples: readonly Sample[] }>(endpoints: readonly endpoint[]): endpoint[] {
  // One more than the slowest, so that whoever answers is better than whoever has not.
  const slowest = 1 + Math.max(0, ...endpoints.map(({ samples }) => meanLatency(samples)))
  const score = ({ samples }: endpoint): number => {
    if (samples.length === 0) return ranking.stability
    const stability = samples.filter(({ answered }) => answered).length / samples.length
    return ranking.stability * stability + ranking.latency * (1 - meanLatency(samples) / slowest)
  }
  const scored = endpoints.map((endpoint) => ({ endpoint, score: score(endpoint) }))
  scored.sort((a, b) => b.score - a.score)
  return scored.map(({ endpoint }) => endpoint)
}

function meanLatency(samples: readonly Sample[]): number {
  return samples.length === 0 ? 0 : samples.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / samples.length
}
