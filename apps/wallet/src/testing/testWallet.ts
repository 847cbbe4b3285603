import { fakeNetwork, fakeStorage, manualClock, type FakeStorage, type ManualClock } from '@latchkey/core/fakes'
import { evm } from '../families/evm/evm.ts'
import { createDeveloperWallet, type DeveloperWallet } from '../wallet/developerWallet.ts'
import { start } from '../wallet/start.ts'
import { fakeProtocol, type FakeProtocol } from './fakeProtocol.ts'

export const networks = [fakeNetwork({ id: 1, name: 'First' }), fakeNetwork({ id: 5, name: 'Fifth' })]

/** A wallet that has been started, with everything around it in the hands of a test. */
export type TestWallet = { wallet: DeveloperWallet; protocol: FakeProtocol; clock: ManualClock; storage: FakeStorage }

/** Makes a wallet with real keys on networks that nobody runs. */
export function testWallet(storage: FakeStorage = fakeStorage()): TestWallet {
  const clock = manualClock()
  const protocol = fakeProtocol(clock.now)
  const wallet = createDeveloperWallet({
    config: { projectId: 'test', relay: 'ws://relay.invalid', web: undefined, networks, tokens: [] },
    families: [evm()],
    storage,
    clock,
    open: () => protocol,
    createCacao: (said, account, signature, type = 'eip191') => ({
      h: { t: 'caip122' },
      p: { ...said, iss: `did:pkh:${account}` },
      s: { t: type, s: signature },
    }),
  })
  start(wallet)
  return { wallet, protocol, clock, storage }
}
