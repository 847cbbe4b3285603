import type { Clock, Connector, DiscoveryListener } from '@latchkey/core'
import { injectedConnector } from '../injected/injectedConnector.ts'
import { createSafeConsent } from './safeConsent.ts'
import { parseSafeInfo } from './safeInfo.ts'
import { openSafeChannel, type SafeWindow } from './safeChannel.ts'
import { createSafeProvider, type SafeProvider } from './safeProvider.ts'

/** Timeout for the window around the page to identify itself as a Safe, in milliseconds. */
const handshakeTimeoutMs = 5_000

type SafeDiscoveryOptions = {
  found: DiscoveryListener
  clock: Clock
  /** Allowed origins of Safes; any if `undefined`. */
  origins: readonly string[] | undefined
  /** Receives the Safe that was found, to look up its transactions. */
  opened(safe: SafeProvider): void
}

/**
 * Asks the window around the page to identify itself as a Safe. Does nothing outside of a frame.
 *
 * @returns a function that stops waiting for the response
 */
export function discoverSafe(page: EventTarget, { found, clock, origins, opened }: SafeDiscoveryOptions): () => void {
  const parent: unknown = Reflect.get(page, 'parent')
  if (parent === page || !isSafeWindow(parent) || origins?.length === 0) return () => {}
  const channel = openSafeChannel(page, parent, origins)
  const cancel = clock.after(handshakeTimeoutMs, channel.close)
  let isSafe = false
  const stop = (): void => {
    cancel()
    if (!isSafe) channel.close()
  }
  channel.request('getSafeInfo').then((data) => {
    const info = parseSafeInfo(data)
    if (info === undefined) return stop()
    isSafe = true
    cancel()
    const provider = createSafeProvider(channel, info, clock)
    opened(provider)
    found(createSafeConnector(page, provider, info.chainId, clock))
  }, stop)
  return stop
}

function createSafeConnector(page: EventTarget, provider: SafeProvider, chainId: number, clock: Clock): Connector {
  const consent = createSafeConsent(page)
  const inner = injectedConnector(
    {
      id: 'safe',
      name: 'Safe',
      type: 'external',
      provider,
      approvedChains: [`eip155:${chainId}`],
      details: () => ({ type: 'smartAccount' }),
    },
    clock,
  )
  return {
    ...inner,
    isHost: true,
    async connect(request) {
      const connections = await inner.connect(request)
      consent.grant()
      return connections
    },
    restore: async (request) => (consent.isGranted() ? inner.restore(request) : []),
    async disconnect() {
      consent.revoke()
      await inner.disconnect()
    },
  }
}

function isSafeWindow(value: unknown): value is SafeWindow {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
