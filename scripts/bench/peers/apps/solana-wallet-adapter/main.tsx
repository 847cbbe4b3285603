import { ConnectionProvider, WalletProvider } from '@solana/wallet-adapter-react'
import { WalletModalProvider, WalletMultiButton } from '@solana/wallet-adapter-react-ui'
import '@solana/wallet-adapter-react-ui/styles.css'
import { createRoot } from 'react-dom/client'

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <ConnectionProvider endpoint="http://127.0.0.1:8899">
      <WalletProvider wallets={[]}>
        <WalletModalProvider>
          <WalletMultiButton />
        </WalletModalProvider>
      </WalletProvider>
    </ConnectionProvider>,
  )
}
