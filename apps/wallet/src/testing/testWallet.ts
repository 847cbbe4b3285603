import { fakeNetwork, fakeStorage, manualClock, type FakeStorage, type ManualClock } from '@latchkey/core/fakes'
import { createEvmAdapter } from '../namespaces/evm/createEvmAdapter.ts'
import { createDeveloperWallet, type DeveloperWallet } from '../wallet/developerWallet.ts'
import { start } from '../wallet/start.ts'
import { fakeProtocol, type FakeProtocol } from './fakeProtocol.ts'

export const networks = [fakeNetwork({ id: 1, name: 'First' }), fakeNetwork({ id: 5, name: 'Fifth' })]

/** A started wallet with the fakes around it. */
export type TestWallet = { wallet: DeveloperWallet; protocol: FakeProtocol; clock: ManualClock; storage: FakeStorage }

/** Creates a wallet with real keys on networks that don't exist. */
export function testWallet(storage: FakeStorage = fakeStorage()): TestWallet {
  const clock = manualClock()
  const protocol = fakeProtocol(clock.now)
  const wallet = createDeveloperWallet({
    config: { projectId: 'test', relay: 'ws://relay.invalid', web: undefined, networks, tokens: [] },
    adapters: [createEvmAdapter()],
    storage,
    clock,
    open: () => protocol,
    createCacao: (payload, account, signature, type = 'eip191') => ({
      h: { t: 'caip122' },
      p: { ...payload, iss: `did:pkh:${account}` },
      s: { t: type, s: signature },
    }),
  })
  start(wallet)
  return { wallet, protocol, clock, storage }
}
