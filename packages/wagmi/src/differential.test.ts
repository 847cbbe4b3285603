import { connect, disconnect, getAccount, switchAccount, switchNetwork } from '@latchkey/core'
import { createRandom } from '@latchkey/faults'
import { startAnvil, type Anvil } from '@latchkey/testkit/node'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  alice,
  bob,
  createExtensions,
  keys,
  setUpWagmi,
  walletNames,
  type Version,
  type WagmiWorld,
} from './testing/setUpWagmi.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

const actionCount = 200
const [first, second] = walletNames
const networks = [31_337, 31_338] as const

/** The actions of a user and an app. */
const actions: Readonly<Record<string, (world: WagmiWorld, random: () => number) => unknown>> = {
  'wagmi connects': ({ wagmi, config, connector }) => wagmi.connect(config, { connector }),
  'wagmi connects on a chain': ({ wagmi, config, connector }, random) =>
    wagmi.connect(config, { connector, chainId: pick(networks, random) }),
  'wagmi disconnects': ({ wagmi, config }) => wagmi.disconnect(config),
  'wagmi switches': ({ wagmi, config }, random) => wagmi.switchChain(config, { chainId: pick(networks, random) }),
  'wagmi reconnects': ({ wagmi, config }) => wagmi.reconnect(config),
  'Latchkey connects the first wallet': ({ latchkey }) => connect(latchkey, first),
  'Latchkey connects the second wallet': ({ latchkey }) => connect(latchkey, second),
  'Latchkey disconnects': ({ latchkey }) => disconnect(latchkey),
  'Latchkey switches the network': ({ latchkey }, random) =>
    switchNetwork(latchkey, `eip155:${pick(networks, random)}`),
  'Latchkey switches the account': ({ latchkey }, random) => {
    const { network } = getAccount(latchkey, 'eip155')
    switchAccount(latchkey, `${network?.caipNetworkId as `eip155:${string}`}:${pick([alice, bob], random)}`)
  },
  'a wallet changes its network': ({ extensions }, random) => pick(extensions, random).setChain(pick(networks, random)),
  'a wallet selects other accounts': ({ extensions }, random) =>
    pick(extensions, random).setAccounts(pick([keys, [keys[1]], [keys[1], keys[0]]], random)),
  'a wallet revokes the access': ({ extensions }, random) => pick(extensions, random).revoke(),
  'the user declines the next request': ({ extensions }, random) => pick(extensions, random).rejectNext(),
}

/** The same facts from both sides. */
function collectFacts({ latchkey, config }: WagmiWorld) {
  const account = getAccount(latchkey, 'eip155')
  const connection = config.state.connections.get(config.state.current ?? '')
  return {
    latchkey: {
      status: account.status,
      address: account.status === 'connected' ? account.address : undefined,
      chainId: Number(account.network?.caipNetworkId.split(':')[1]),
    },
    wagmi: { status: config.state.status, address: connection?.accounts[0], chainId: config.state.chainId },
  }
}

describe.each<Version>([2, 3])('with wagmi %i', (version) => {
  test.each([11, 23, 37])(
    'both report the same address, chain and status after each of 200 random actions of seed %i',
    async (seed) => {
      const { next: random } = createRandom(seed)
      const wagmiStorage = new Map<string, string>()
      const extensions = createExtensions(anvil.url)
      let world = setUpWagmi(anvil.url, version, { wallet: first, wagmiStorage, extensions })
      const history: string[] = []
      for (let count = 0; count < actionCount; count += 1) {
        // Every tenth action on average is a reload of the page.
        const name = random() < 0.1 ? 'reload' : pick(Object.keys(actions), random)
        history.push(name)
        if (name === 'reload') {
          const { storage } = world
          world.stop()
          world = setUpWagmi(anvil.url, version, { wallet: first, wagmiStorage, extensions, storage })
          await world.wagmi.reconnect(world.config)
        } else {
          // Actions that are impossible in the current state fail.
          await (async () => actions[name]?.(world, random))().catch(() => undefined)
        }
        const recent = history.slice(-6)
        await vi.waitFor(
          () => {
            const { latchkey, wagmi } = collectFacts(world)
            expect({ ...wagmi, recent }).toEqual({ ...latchkey, recent })
          },
          { timeout: 60_000 },
        )
      }
      // The random actions reached both states.
      expect(new Set(history).size).toBeGreaterThan(12)
    },
  )
})

function pick<item>(items: readonly item[], random: () => number): item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('no items')
  return item
}
