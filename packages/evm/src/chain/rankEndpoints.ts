/** The result of one request to an endpoint. */
export type Sample = { hasResponse: boolean; milliseconds: number }

/** Sample window, and weights of the score. */
const ranking = { samples: 10, stability: 0.7, latency: 0.3 } as const

/** Adds a sample, and drops the oldest one if there are too many. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples, sample].slice(-ranking.samples)
}

/**
 * Sorts endpoints by reliability and speed, the best first. An endpoint without samples ranks between working and failing
 * endpoints. Equal endpoints keep their order.
 */
export function rankEndpoints<endpoint extends { samples: readonly Sample[] }>(
  endpoints: readonly endpoint[],
): endpoint[] {
  // Adds 1 so that any responding endpoint outranks a failing one.
  const slowest = 1 + Math.max(0, ...endpoints.map(({ samples }) => meanLatency(samples)))
  const score = ({ samples }: endpoint): number => {
    if (samples.length === 0) return ranking.stability
    const stability = samples.filter(({ hasResponse }) => hasResponse).length / samples.length
    return ranking.stability * stability + ranking.latency * (1 - meanLatency(samples) / slowest)
  }
  const scored = endpoints.map((endpoint) => ({ endpoint, score: score(endpoint) }))
  scored.sort((a, b) => b.score - a.score)
  return scored.map(({ endpoint }) => endpoint)
}

function meanLatency(samples: readonly Sample[]): number {
  return samples.length === 0 ? 0 : samples.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / samples.length
}
