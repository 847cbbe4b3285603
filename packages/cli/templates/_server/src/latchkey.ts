import { createLatchkey, serverSignIn } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { walletConnect } from '@latchkey/walletconnect'
import { chains } from '../shared/chains.ts'

const { VITE_LATCHKEY_RELAY_URL: relayUrl, VITE_LATCHKEY_PROJECT_ID: projectId } = import.meta.env

const metadata = { name: '%NAME%', description: 'An app with Latchkey', url: location.origin, icons: [] }

export const latchkey = createLatchkey({
  adapters: [evm({ chains })],
  // Phone wallets need a relay. See the file .env.
  connectors: relayUrl && projectId ? [walletConnect({ relayUrl, projectId, metadata })] : [],
  siwx: serverSignIn({ url: '/api/sign-in', statement: 'Sign in to %NAME%.' }),
})
