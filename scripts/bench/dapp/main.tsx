import { createLatchkey } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { createRoot } from 'react-dom/client'

// The smallest app that connects a wallet. It defines its own chain, so that no chain library adds to the size.
const chain = {
  id: 31337,
  name: 'Latchkey Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
}
const latchkey = createLatchkey({ adapters: [evm({ chains: [chain] })] })

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
}
