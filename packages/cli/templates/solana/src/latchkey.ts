import { createLatchkey } from '@latchkey/core'
import { solana, solanaDevnet, solanaMainnet } from '@latchkey/solana'
import { walletConnect } from '@latchkey/walletconnect'

const {
  VITE_LATCHKEY_RELAY_URL: relayUrl,
  VITE_LATCHKEY_PROJECT_ID: projectId,
  VITE_SOLANA_RPC_URL: rpcUrl,
} = import.meta.env

const metadata = { name: '%NAME%', description: 'An app with Latchkey', url: location.origin, icons: [] }

export const latchkey = createLatchkey({
  adapters: [
    solana({
      networks: [solanaMainnet, solanaDevnet],
      // The public endpoints have low rate limits. See the file .env.
      rpcUrls: rpcUrl ? { [solanaMainnet.caipNetworkId]: [rpcUrl] } : {},
    }),
  ],
  // Phone wallets need a relay. See the file .env.
  connectors: relayUrl && projectId ? [walletConnect({ relayUrl, projectId, metadata })] : [],
})
