/** How a line to a relay ended. */
export type LineEnd = {
  /** Whether the relay had said anything on it. */
  readonly wasAnswered: boolean
  /** Why the relay refused this client; nothing when the line just failed. */
  readonly refusal?: string
}

/** What to dial next. */
export type RelayRoute = {
  /** The address, with a token made for it. */
  address(): Promise<string>
  /**
   * Learns from the end of a line, and says whether to dial again at once (somewhere else, or with another time), after
   * a while, or not before somebody asks.
   */
  after(end: LineEnd): 'now' | 'later' | 'never'
}

type RouteParts = {
  /** Where relays listen, the best first. */
  urls: readonly [string, ...string[]]
  /** The URL to dial with a token issued at `issuedAt` (Unix seconds). */
  addressOf(url: string, issuedAt: number): Promise<string>
  /** Milliseconds. */
  now(): number
}

/** Tokens are good for a day, so that a clock that is wrong by days is found by steps of one, in seconds. */
const day = 86_400

/** How many such steps are tried. */
const longestSearch = 4

/** Goes through relays in order, and through days when a relay finds that the clock is wrong. */
export function createRelayRoute({ urls, addressOf, now }: RouteParts): RelayRoute {
  let at = 0
  let wereAllRefused = true
  let days = 0
  let steps = 0

  /** Begins again with the best relay. */
  function begin(): void {
    at = 0
    wereAllRefused = true
    steps = 0
  }

  /** Whether another time is worth a try: relays say in these words that they do not like this one. */
  function turnClock(refusal: string): boolean {
    const direction = /not yet valid/i.test(refusal) ? -1 : /token is expired/i.test(refusal) ? 1 : 0
    steps += 1
    const isHopeful = direction !== 0 && steps <= longestSearch
    days = isHopeful ? days + direction : 0
    return isHopeful
  }

  return {
    address: () => addressOf(urls[at] ?? urls[0], Math.floor(now() / 1000) + days * day),
    after({ wasAnswered, refusal }) {
      if (wasAnswered) {
        begin()
        // Who refuses after all would be dialled without end; only another relay can help.
        return refusal === undefined || urls.length > 1 ? 'later' : 'never'
      }
      if (refusal !== undefined && turnClock(refusal)) return 'now'
      wereAllRefused &&= refusal !== undefined
      at += 1
      if (at < urls.length) return 'now'
      const verdict = wereAllRefused ? 'never' : 'later'
      begin()
      return verdict
    },
  }
}
