/** The end of a connection to a relay. */
export type ConnectionEnd = {
  /** True if the relay responded on it. */
  readonly hadResponse: boolean
  /** The reason for which the relay refused this client. `undefined` if the connection failed. */
  readonly refusal?: string
}

/** Chooses the relay, and the time in its token, for each connection. */
export type RelayFailover = {
  /** The address of the next connection, with a token for it. */
  address(): Promise<string>
  /**
   * Evaluates the end of a connection.
   *
   * @returns `now` to connect at once (to another relay, or with another time), `later` to retry after a delay, `never`
   * to wait for the next request
   */
  nextAttempt(end: ConnectionEnd): 'now' | 'later' | 'never'
}

type FailoverOptions = {
  /** The relays' URLs, best first. */
  urls: readonly [string, ...string[]]
  /** Returns the URL with a token issued at `issuedAt` (Unix seconds). */
  addressOf(url: string, issuedAt: number): Promise<string>
  /** Milliseconds. */
  now(): number
}

/** Seconds. A token is valid for a day, so steps of a day find the relay's time if the clock is wrong by days. */
const day = 86_400

/** The number of days that are tried. */
const maximumSteps = 4

/** Creates a failover through relays in order, and through days if a relay reports a wrong clock. */
export function createRelayFailover({ urls, addressOf, now }: FailoverOptions): RelayFailover {
  let index = 0
  let wereAllRefused = true
  let days = 0
  let steps = 0

  /** Starts over with the best relay. */
  function startOver(): void {
    index = 0
    wereAllRefused = true
    steps = 0
  }

  /** Moves the time by a day if the refusal blames it. Returns false if another time would not help. */
  function shiftTime(refusal: string): boolean {
    const direction = /not yet valid/i.test(refusal) ? -1 : /token is expired/i.test(refusal) ? 1 : 0
    steps += 1
    const canHelp = direction !== 0 && steps <= maximumSteps
    days = canHelp ? days + direction : 0
    return canHelp
  }

  return {
    address: () => addressOf(urls[index] ?? urls[0], Math.floor(now() / 1000) + days * day),
    nextAttempt({ hadResponse, refusal }) {
      if (hadResponse) {
        startOver()
        // A relay that responds before it refuses would be tried forever. Only another relay can help.
        return refusal === undefined || urls.length > 1 ? 'later' : 'never'
      }
      if (refusal !== undefined && shiftTime(refusal)) return 'now'
      wereAllRefused &&= refusal !== undefined
      index += 1
      if (index < urls.length) return 'now'
      const attempt = wereAllRefused ? 'never' : 'later'
      startOver()
      return attempt
    },
  }
}
