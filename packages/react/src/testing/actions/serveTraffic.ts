import { fakeExchange } from '@latchkey/core/fakes'
import { fakeServer, walletList, type FakeServer } from '../fakeServer.ts'
import { respondWithExchange } from '../serveExchange.ts'

/** A server, the number of its pending requests, and if it responds. */
export type Traffic = { server: FakeServer; pending: number; isDown: boolean }

/** The account whose balances are served. */
export const holder = `0x${'aa'.repeat(18)}fa4e`

/** Serves wallets, balances, histories and swaps until the test ends. */
export function serveTraffic(): Traffic {
  const server = fakeServer({
    wallets: walletList(45),
    balances: [
      {
        name: 'Coin',
        symbol: 'COIN',
        chainId: 'eip155:1',
        price: 2_000,
        value: 10_000,
        quantity: { decimals: '18', numeric: '5' },
        iconUrl: '',
      },
    ],
  })
  const exchange = fakeExchange('eip155:1', holder)
  const traffic: Traffic = { server, pending: 0, isDown: false }
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server.url) return fetch(input, init)
    traffic.pending += 1
    try {
      server.down = traffic.isDown
      if (traffic.isDown) throw new TypeError('Connection refused.')
      if (!/^[/]v1[/](convert|fungible|supported-chains)/.test(url.pathname)) return await fetch(input, init)
      return await respondWithExchange(exchange, url, init)
    } finally {
      traffic.pending -= 1
    }
  }
  return traffic
}
