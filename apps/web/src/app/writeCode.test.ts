import type { Network } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { SiteConfig } from './config.ts'
import { instanceOptionsOf } from './instance.ts'
import { defaultOptions, type PlaygroundOptions } from './options.ts'
import { writeCode } from './writeCode.ts'

function network(caipNetworkId: Network['caipNetworkId'], name: string): Network {
  const [chainNamespace, id = ''] = caipNetworkId.split(':')
  return {
    id,
    caipNetworkId,
    // The first part of a CAIP-2 id.
    chainNamespace: chainNamespace as Network['chainNamespace'],
    name,
    nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 18 },
    rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
  }
}

const config: SiteConfig = {
  projectId: 'p',
  server: 'http://127.0.0.1:2',
  relay: 'ws://127.0.0.1:2/relay',
  wallet: 'http://127.0.0.1:3',
  networks: [network('eip155:1', 'First Chain'), network('solana:local', 'Sun Local')],
  tokens: [],
}

const usual = defaultOptions(config.networks.map(({ caipNetworkId }) => caipNetworkId))

test('the usual options are not written down', () => {
  expect(writeCode(config, usual)).toMatchInlineSnapshot(`
    "import { createLatchkey } from '@latchkey/core'
    import { evm } from '@latchkey/evm'
    import { solana } from '@latchkey/solana'
    import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
    import { walletConnect } from '@latchkey/walletconnect'

    const latchkey = createLatchkey({
      adapters: [
        evm({ chains: [firstChain] }),
        solana({ networks: [sunLocal] }),
      ],
      connectors: [walletConnect({ relayUrl: 'ws://127.0.0.1:2/relay', projectId, metadata })],
      server: 'http://127.0.0.1:2',
      projectId: 'p',
    })

    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>"
  `)
})

test.each<[Partial<PlaygroundOptions>, string]>([
  [{ signIn: 'optional' }, 'siwx: localSignIn({ required: false }),'],
  [{ theme: 'dark' }, 'theme="dark"'],
  [{ locale: 'ar' }, 'locale="ar"'],
  [{ hue: 150 }, '--latchkey-accent: oklch(0.45 0.19 150);'],
  [{ radius: 8 }, '--latchkey-radius: 8px;'],
  [{ networkSwitch: false }, 'enableNetworkSwitch: false,'],
  [{ unsupportedNetworks: 'inform' }, "unsupportedNetworks: 'inform',"],
  [{ allWallets: 'mobile' }, "features: { allWallets: 'mobile' },"],
  [{ excluded: "A, it's b ," }, "excludeWallets: ['A', 'it\\'s b'],"],
  [{ methodOrder: 'logins' }, "connectMethodOrder: ['email', 'social', 'wallet'],"],
  [{ installedFirst: true }, "connectorOrder: ['injected', 'recent',"],
  [{ terms: true }, "legal: { termsUrl: '/terms', privacyUrl: '/privacy' },"],
  [{ email: false, legalCheckbox: true }, 'features: { email: false, legalCheckbox: true },'],
  [{ multiWallet: true }, 'multiWallet: true,'],
  [{ connectAllNamespaces: true }, 'connectAllNamespaces: true,'],
])('%j is written down', (change, line) => {
  expect(writeCode(config, usual)).not.toContain(line)
  expect(writeCode(config, { ...usual, ...change })).toContain(line)
})

test('looks make no other instance, everything else does', () => {
  const before = instanceOptionsOf(usual)
  expect(instanceOptionsOf({ ...usual, theme: 'dark', locale: 'de', hue: 10, radius: 0 }, before)).toBe(before)
  expect(instanceOptionsOf({ ...usual, multiWallet: true }, before)).not.toBe(before)
})

test('a chain family is written down when a network of it is chosen', () => {
  const code = writeCode(config, { ...usual, networks: ['solana:local'] })
  expect(code).toContain("import { solana } from '@latchkey/solana'")
  expect(code).not.toContain('evm')
})
