import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { solana } from '@latchkey/solana'
import { createRoot } from 'react-dom/client'

const latchkey = createLatchkey({ adapters: [solana()] })

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
}
