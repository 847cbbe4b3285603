import type { Clock } from './clock.ts'
import { askEndpoint, blamesEndpoint, NoEndpoint } from './rpc.ts'

/** The endpoints of one chain, the best first. */
export type EndpointPool = {
  /**
   * Puts a request, or a batch, to endpoints in turn until one answers it.
   *
   * @param once asks one endpoint, once: for what must not be done twice
   * @returns the answer of the first endpoint that finds no fault with itself, else the first that answered at all
   * @throws NoEndpoint when none answers within 20 seconds, or all have as much to do as they may
   */
  ask(body: unknown, options?: { once?: boolean }): Promise<unknown>
  /** Leaves an endpoint out, or lets it in again. */
  exclude(url: string, isOut: boolean): void
  /** Best first, with what is known of each. */
  standings(): readonly { url: string; latency: number; stability: number; open: boolean }[]
}

type Endpoint = {
  url: string
  samples: Array<{ ok: boolean; milliseconds: number; at: number }>
  inFlight: number
  /** Until when nobody asks it. */
  shutUntil: number
  isOut: boolean
}

/** Milliseconds: all endpoints together, and how far back failures count. */
const patience = { together: 20_000, window: 10_000, shut: 5_000 } as const
const most = { endpoints: 5, inFlight: 200, samples: 50 } as const
/** How much a rank hangs on stability and on latency, over so many samples [R9.5.6]. */
const rank = { stability: 0.7, latency: 0.3, samples: 10 } as const
const breaker = { share: 0.5, least: 20 } as const

/** Makes the pool of a chain's endpoints, in the operator's order as long as nothing else is known. */
export function createEndpointPool(urls: readonly string[], clock: Clock): EndpointPool {
  const endpoints = urls.map((url): Endpoint => ({ url, samples: [], inFlight: 0, shutUntil: 0, isOut: false }))

  function note(endpoint: Endpoint, ok: boolean, begun: number): void {
    const at = clock.now()
    endpoint.samples = [...endpoint.samples, { ok, milliseconds: at - begun, at }].slice(-most.samples)
    const recent = endpoint.samples.filter((sample) => at - sample.at < patience.window)
    const failed = recent.filter((sample) => !sample.ok).length
    const halfOpen = endpoint.shutUntil > 0
    // One that was shut is asked once; what it then does decides.
    if (halfOpen) Object.assign(endpoint, ok ? { shutUntil: 0, samples: [] } : { shutUntil: at + patience.shut })
    else if (recent.length >= breaker.least && failed / recent.length >= breaker.share) {
      endpoint.shutUntil = at + patience.shut
    }
  }

  const isOpen = ({ shutUntil, inFlight, isOut }: Endpoint, now: number): boolean =>
    !isOut && inFlight < (shutUntil > 0 ? 1 : most.inFlight) && now >= shutUntil

  function ranked(): readonly Endpoint[] {
    const slowest = Math.max(1, ...endpoints.map(latencyOf))
    const score = (endpoint: Endpoint): number =>
      rank.stability * stabilityOf(endpoint) + rank.latency * (1 - latencyOf(endpoint) / slowest)
    return endpoints.toSorted((a, b) => score(b) - score(a))
  }

  async function put(
    endpoint: Endpoint,
    body: unknown,
    deadline: AbortSignal,
  ): Promise<{ answer: unknown; ok: boolean }> {
    const begun = clock.now()
    endpoint.inFlight += 1
    let ok = false
    try {
      const answer = await askEndpoint(endpoint.url, body, deadline)
      ok = !blamesEndpoint(answer)
      return { answer, ok }
    } finally {
      endpoint.inFlight -= 1
      note(endpoint, ok, begun)
    }
  }

  return {
    async ask(body, { once = false } = {}) {
      const now = clock.now()
      const able = ranked().filter((endpoint) => isOpen(endpoint, now))
      const deadline = AbortSignal.timeout(patience.together)
      let faulty: { answer: unknown } | undefined
      let cause: unknown
      for (const endpoint of able.slice(0, once ? 1 : most.endpoints)) {
        if (deadline.aborted) break
        try {
          const told = await put(endpoint, body, deadline)
          if (told.ok) return told.answer
          faulty ??= told
        } catch (error) {
          cause = error
        }
      }
      if (faulty !== undefined) return faulty.answer
      throw new NoEndpoint('No endpoint answers.', { cause })
    },
    exclude(url, isOut) {
      for (const endpoint of endpoints) if (endpoint.url === url) endpoint.isOut = isOut
    },
    standings() {
      const now = clock.now()
      return ranked().map((endpoint) => ({
        url: endpoint.url,
        latency: latencyOf(endpoint),
        stability: stabilityOf(endpoint),
        open: isOpen(endpoint, now),
      }))
    },
  }
}

function stabilityOf({ samples }: Endpoint): number {
  const recent = samples.slice(-rank.samples)
  return recent.length === 0 ? 1 : recent.filter(({ ok }) => ok).length / recent.length
}

/** The mean of what went well lately; nothing is known of one that was never asked, which is as good as quick. */
function latencyOf({ samples }: Endpoint): number {
  const well = samples.slice(-rank.samples).filter(({ ok }) => ok)
  return well.length === 0 ? 0 : well.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / well.length
}
