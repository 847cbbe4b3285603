import type { Connector } from '@latchkey/core'
import { manualClock, flushTasks } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinMainnet } from '../chain/bitcoinNetworks.ts'

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const request = { networks: [bitcoinMainnet], signal: new AbortController().signal }

type Listener = (event: unknown) => void

/** The form in which `addListener` of sats-connect takes its event: an object since version 4, two arguments before. */
type ListenerForm = 'object' | 'arguments'

function createProvider(form: ListenerForm) {
  const listeners = new Map<string, Set<Listener>>()
  const state = { connected: true }
  return {
    state,
    listeners,
    emit: (event: string) => listeners.get(event)?.forEach((listener) => listener({ type: event })),
    provider: {
      async request(method: string) {
        if (method !== 'wallet_connect' && !state.connected) return { error: { code: -32_002, message: 'No access' } }
        const addresses = [{ address, purpose: 'payment', publicKey: '02'.repeat(33) }]
        return { result: { addresses, network: { bitcoin: { name: 'Mainnet' } } } }
      },
      addListener(first: unknown, second: unknown) {
        const [event, listener] =
          form === 'arguments'
            ? [first, second]
            : [Reflect.get(Object(first), 'eventName'), Reflect.get(Object(first), 'cb')]
        if (typeof event !== 'string' || typeof listener !== 'function') throw new TypeError('Invalid listener')
        const all = listeners.get(event) ?? new Set()
        listeners.set(
          event,
          all.add((value) => listener(value)),
        )
        return () => listeners.delete(event)
      },
    },
  }
}

function discover(provider: object): Connector {
  const found: Connector[] = []
  const page = Object.assign(new EventTarget(), {
    btc_providers: [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon: '' }],
    XverseProviders: { BitcoinProvider: provider },
  })
  bitcoin({ networks: [bitcoinMainnet], page, clock: manualClock() }).discover?.((connector) => found.push(connector))
  const [connector] = found
  if (connector === undefined) throw new Error('The wallet was not found.')
  return connector
}

test.each<ListenerForm>(['object', 'arguments'])(
  'a wallet that takes listeners as %s is followed [R4.5]',
  async (form) => {
    const { provider, listeners, emit } = createProvider(form)
    const [connection] = await discover(provider).connect(request)
    const ends: unknown[] = []
    const stop = connection.listen({
      accountsChanged() {},
      chainChanged() {},
      disconnected: (end) => void ends.push(end),
    })
    await flushTasks()
    expect([...listeners.keys()].toSorted()).toEqual(['accountChange', 'disconnect', 'networkChange'])
    emit('disconnect')
    await expect.poll(() => ends).toEqual(['wallet'])
    stop()
    await expect.poll(() => listeners.size).toBe(0)
  },
)

test('a wallet that revokes the access is disconnected at the next change [R4.5]', async () => {
  const { provider, state, emit } = createProvider('object')
  const [connection] = await discover(provider).connect(request)
  const ends: unknown[] = []
  connection.listen({ accountsChanged() {}, chainChanged() {}, disconnected: (end) => void ends.push(end) })
  await flushTasks()
  state.connected = false
  emit('accountChange')
  await expect.poll(() => ends).toEqual(['account-removed'])
})
