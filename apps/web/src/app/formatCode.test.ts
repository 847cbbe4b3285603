import type { Network } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { SiteConfig } from './siteConfig.ts'
import { toInstanceOptions } from './createInstance.ts'
import { defaultOptions, type PlaygroundOptions } from './playgroundOptions.ts'
import { formatCode } from './formatCode.ts'

function createNetwork(caipNetworkId: Network['caipNetworkId'], name: string): Network {
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
  networks: [createNetwork('eip155:1', 'First Chain'), createNetwork('solana:local', 'Sun Local')],
  tokens: [],
}

const defaults = defaultOptions(config.networks.map(({ caipNetworkId }) => caipNetworkId))

test('formatCode omits options with default values', () => {
  expect(formatCode(config, defaults)).toMatchInlineSnapshot(`
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
])('formatCode writes the changed option %j', (change, line) => {
  expect(formatCode(config, defaults)).not.toContain(line)
  expect(formatCode(config, { ...defaults, ...change })).toContain(line)
})

test('toInstanceOptions returns the same object for theme changes and a new one for other changes', () => {
  const before = toInstanceOptions(defaults)
  expect(toInstanceOptions({ ...defaults, theme: 'dark', locale: 'de', hue: 10, radius: 0 }, before)).toBe(before)
  expect(toInstanceOptions({ ...defaults, multiWallet: true }, before)).not.toBe(before)
})

test('formatCode imports a chain family only if one of its networks is selected', () => {
  const code = formatCode(config, { ...defaults, networks: ['solana:local'] })
  expect(code).toContain("import { solana } from '@latchkey/solana'")
  expect(code).not.toContain('evm')
})
