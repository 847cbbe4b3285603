import { bitcoin } from '@latchkey/bitcoin'
import { createLatchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { polkadot } from '@latchkey/polkadot'
import { solana } from '@latchkey/solana'
import { walletConnect } from '@latchkey/walletconnect'
import { base, mainnet } from 'viem/chains'

const { VITE_LATCHKEY_RELAY_URL: relayUrl, VITE_LATCHKEY_PROJECT_ID: projectId } = import.meta.env

const metadata = { name: '%NAME%', description: 'An app with Latchkey', url: location.origin, icons: [] }

export const latchkey = createLatchkey({
  // Each adapter adds a namespace. Remove those that your app doesn't need.
  adapters: [evm({ chains: [mainnet, base] }), solana(), bitcoin(), polkadot({ appName: metadata.name })],
  // Phone wallets need a relay. See the file .env.
  connectors: relayUrl && projectId ? [walletConnect({ relayUrl, projectId, metadata })] : [],
})
