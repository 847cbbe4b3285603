import { createLatchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { walletConnect } from '@latchkey/walletconnect'
import { createRoot } from 'react-dom/client'
import { mainnet } from 'viem/chains'

const metadata = { name: 'An app', description: '', url: location.origin, icons: [] }

const latchkey = createLatchkey({
  adapters: [evm({ chains: [mainnet] })],
  // Phone wallets, as the other library has them.
  connectors: [walletConnect({ relayUrl: 'ws://127.0.0.1:9/relay', projectId: 'ab'.repeat(16), metadata })],
})

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
}
