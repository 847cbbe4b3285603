import type { Clock, Connector, DiscoveryListener } from '@latchkey/core'
import { injectedConnector } from '../injected.ts'
import { createConsent } from './consent.ts'
import { readSafeInfo } from './safeInfo.ts'
import { openSafeLine, type SafeWindow } from './safeLine.ts'
import { createSafeProvider, type SafeProvider } from './safeProvider.ts'

/** How long the window around the page may take to say that it is a Safe. */
const handshakeMilliseconds = 5_000

type SafeSearch = {
  found: DiscoveryListener
  clock: Clock
  /** Origins of Safes; any when undefined. */
  origins: readonly string[] | undefined
  /** Is told the Safe that was found, to look its transactions up. */
  opened(safe: SafeProvider): void
}

/**
 * Asks the window around the page whether it is a Safe. Outside of a frame nobody is asked.
 *
 * @returns what stops waiting for the answer
 */
export function searchSafe(page: EventTarget, { found, clock, origins, opened }: SafeSearch): () => void {
  const parent: unknown = Reflect.get(page, 'parent')
  if (parent === page || !isWindow(parent) || origins?.length === 0) return () => {}
  const line = openSafeLine(page, parent, origins)
  const cancel = clock.after(handshakeMilliseconds, line.close)
  let answered = false
  const giveUp = (): void => {
    cancel()
    if (!answered) line.close()
  }
  line.ask('getSafeInfo').then((data) => {
    const info = readSafeInfo(data)
    if (info === undefined) return giveUp()
    answered = true
    cancel()
    const provider = createSafeProvider(line, info, clock)
    opened(provider)
    found(safeConnector(page, provider, info.chainId, clock))
  }, giveUp)
  return giveUp
}

function safeConnector(page: EventTarget, provider: SafeProvider, chainId: number, clock: Clock): Connector {
  const consent = createConsent(page)
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
    async connect(request) {
      const connections = await inner.connect(request)
      consent.give()
      return connections
    },
    restore: async (request) => (consent.given() ? inner.restore(request) : []),
    async disconnect() {
      consent.withdraw()
      await inner.disconnect()
    },
  }
}

function isWindow(value: unknown): value is SafeWindow {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
