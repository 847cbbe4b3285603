import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { TrackedPage } from '../money/pending/trackedPage.ts'
import { readEvents, type StreamOutcome } from './readEvents.ts'

export type WatchAccountOptions = {
  account: AccountId
  chainId: ChainId
  /** Called when balances or the history may have changed. Several changes at once are one call. */
  onChange(): void
  /** False to wait for pushed changes only. Defaults to true: if the server can't push, the client polls. */
  polls?: boolean
  /** The page whose visibility counts. Defaults to the document; without one, the page counts as visible. */
  page?: TrackedPage | undefined
}

/** In milliseconds: the first and longest pause before a reconnection, between two polls, and around a change. */
const pauseMs = { first: 1_000, most: 60_000, poll: 30_000, beforeChange: 250, betweenChanges: 2_000 } as const
/** After this many failed connections the client polls, too. */
const failuresUntilPolling = 3

/**
 * Watches an account on a chain for new transactions, including incoming ones. The server pushes changes (server-sent
 * events). If it can't, the client polls every 30 seconds. A hidden page has no connection; when it becomes visible, the
 * server reports what it missed. Does nothing without a server.
 *
 * @returns a function that stops it
 * @example const stop = watchAccountChanges(latchkey, { account, chainId: 'eip155:1', onChange: refresh })
 */
export function watchAccountChanges(latchkey: Pick<Latchkey, 'internal'>, options: WatchAccountOptions): () => void {
  const { clock, settings } = latchkey.internal
  const { account, chainId, onChange, polls = true } = options
  const { page = typeof document === 'undefined' ? undefined : document } = options
  if (settings.server === undefined) return () => {}
  const notifier = createNotifier(latchkey, onChange)
  let connection: AbortController | undefined
  let lastEventId: string | undefined
  let isRefused = false
  let failures = 0
  let cancel = (): void => {}

  const connect = async (): Promise<void> => {
    const own = new AbortController()
    connection = own
    const path = `/v1/account/${encodeURIComponent(parseAccountId(account).address)}/events`
    const outcome = await readEvents(latchkey, serverUrl(latchkey, path, { chainId, lastEventId }), own.signal, {
      onId: (id) => (lastEventId = id),
      onChange: notifier.notify,
    })
    if (connection !== own) return
    connection = undefined
    plan(outcome)
  }

  function plan(outcome: StreamOutcome): void {
    isRefused ||= outcome === 'refused'
    if (isRefused && !polls) return
    failures = outcome === 'ended' ? 0 : failures + 1
    const pause = isRefused ? pauseMs.poll : Math.min(pauseMs.most, pauseMs.first * 2 ** failures)
    cancel = clock.after(withJitter(pause), proceed)
  }

  function proceed(): void {
    if (polls && (isRefused || failures >= failuresUntilPolling)) notifier.notify()
    if (isRefused) plan('refused')
    else void connect()
  }

  function stop(): void {
    cancel()
    connection?.abort()
    connection = undefined
    notifier.pause()
  }

  function start(): void {
    failures = 0
    notifier.resume()
    if (isRefused) plan('refused')
    else void connect()
  }

  return runWhileVisible(page, start, stop)
}

/** Calls `start` whenever the page becomes visible, and `stop` before that and when it becomes hidden. */
function runWhileVisible(page: TrackedPage | undefined, start: () => void, stop: () => void): () => void {
  const onVisibilityChange = (): void => {
    stop()
    if (page?.visibilityState !== 'hidden') start()
  }
  page?.addEventListener('visibilitychange', onVisibilityChange)
  onVisibilityChange()
  return () => {
    page?.removeEventListener('visibilitychange', onVisibilityChange)
    stop()
  }
}

type Notifier = { notify(): void; pause(): void; resume(): void }

/** Joins changes that follow each other closely. A change before a pause is reported after it. */
function createNotifier({ internal: { clock } }: Pick<Latchkey, 'internal'>, onChange: () => void): Notifier {
  let calledAt = Number.NEGATIVE_INFINITY
  let isDue = false
  let cancel = (): void => {}
  function plan(): void {
    const pause = Math.max(pauseMs.beforeChange, calledAt + pauseMs.betweenChanges - clock.now())
    cancel = clock.after(pause, () => {
      isDue = false
      calledAt = clock.now()
      onChange()
    })
  }
  return {
    notify() {
      if (!isDue) plan()
      isDue = true
    },
    pause: () => cancel(),
    resume() {
      if (isDue) plan()
    },
  }
}

/** Between half and one and a half of the pause, so that clients don't return to a restarted server at the same moment. */
function withJitter(milliseconds: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.round(milliseconds * (0.5 + random / 2 ** 32))
}
