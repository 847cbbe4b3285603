import { requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { describeAdapter } from './describeAdapter.ts'
import { describeConnector } from './describeConnector.ts'
import { describeStorage } from './describeStorage.ts'
import {
  fakeAccount,
  fakeAdapter,
  fakeAddress,
  fakeConnector,
  fakeNetwork,
  fakeStorage,
  manualClock,
  type FakeConnectorOptions,
} from './fakes.ts'

describeStorage('fakeStorage', () => {
  const storage = fakeStorage()
  return { storage, otherTab: storage.otherTab() }
})

describeAdapter('fakeAdapter', async () => {
  const address = fakeAddress('eip155', 0)
  const adapter = fakeAdapter({ balances: { [address]: 10n ** 18n } })
  const connector = fakeConnector()
  const [connection] = await connector.connect({ networks: adapter.networks, signal: new AbortController().signal })
  const reverting = { request: { to: fakeAddress('eip155', 1), data: '0xfe' as const }, reason: 'not today' }
  let announced = 0
  return {
    // The chain reverts calls with this data, like a contract.
    adapter: {
      ...adapter,
      sendTransaction(connection, account, request) {
        adapter.revertsWith = request.data === '0xfe' ? 'not today' : undefined
        return adapter.sendTransaction(connection, account, request)
      },
    },
    connection,
    otherAddress: fakeAddress('eip155', 1),
    notAddresses: ['0x12', 'not an address at all, really'],
    unknownHash: `0x${'9'.repeat(64)}`,
    payment: 5n,
    reverting,
    decline() {
      for (const method of ['signMessage', 'sendTransaction', 'switchNetwork']) {
        connector.fail(method, requestError('request/rejected', { method }))
      }
    },
    cutOff: () => void (adapter.unreachable = true),
    announce() {
      announced += 1
      adapter.announce(fakeConnector({ id: `wallet.${announced}` }))
      return `wallet.${announced}`
    },
  }
})

for (const options of [{}, { type: 'walletConnect', uris: ['wc:one', 'wc:two'] }] satisfies FakeConnectorOptions[]) {
  describeConnector(`fakeConnector of type ${options.type ?? 'injected'}`, () => {
    const networks = [fakeNetwork(), fakeNetwork({ id: 2 }), fakeNetwork({ namespace: 'solana', id: 'devnet' })]
    const world = { ...options, namespaces: ['eip155', 'solana'], neverResponds: true } as const
    const connector = fakeConnector(world)
    let isConnected = false
    return {
      connector,
      networks,
      approve() {
        connector.approve()
        isConnected = true
      },
      decline: () => connector.reject(),
      selectAccounts() {
        const accounts = [fakeAccount('eip155:1', 7), fakeAccount('eip155:1', 0)] as const
        connector.emitAccounts(accounts)
        return accounts
      },
      selectChain() {
        connector.emitChain('eip155:2')
        return 'eip155:2'
      },
      leave: () => connector.leave(),
      reload: () => fakeConnector({ ...world, restores: isConnected && connector.calls.disconnect === 0 }),
    }
  })
}

test('manualClock runs callbacks in order of time, including those added while it runs', () => {
  const clock = manualClock(0)
  const rung: string[] = []
  clock.after(30, () => rung.push(`late at ${clock.now()}`))
  clock.after(10, () => {
    rung.push(`early at ${clock.now()}`)
    clock.after(5, () => rung.push(`between at ${clock.now()}`))
  })
  clock.after(20, () => rung.push('cancelled'))()
  clock.advance(30)
  expect(rung).toEqual(['early at 10', 'between at 15', 'late at 30'])
  expect([clock.now(), clock.waiting()]).toEqual([30, 0])
})
