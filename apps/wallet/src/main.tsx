import { pageStorage, systemClock } from '@latchkey/core'
import { createCacao, createWallet } from '@latchkey/walletconnect/wallet'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import icon from './icon.svg?raw'
import { readWalletConfig, type WalletConfig } from './walletConfig.ts'
import { createBitcoinAdapter } from './namespaces/bitcoin/createBitcoinAdapter.ts'
import { createEvmAdapter } from './namespaces/evm/createEvmAdapter.ts'
import { createPolkadotAdapter } from './namespaces/polkadot/createPolkadotAdapter.ts'
import { createSolanaAdapter } from './namespaces/solana/createSolanaAdapter.ts'
import './views/theme.css'
import App from './views/App.tsx'
import { Misconfigured } from './views/Misconfigured.tsx'
import { WalletContext } from './views/useStore.ts'
import { createDeveloperWallet, type DeveloperWallet } from './wallet/developerWallet.ts'
import { becomeOnlyTab } from './wallet/becomeOnlyTab.ts'
import { pair } from './wallet/pair.ts'
import { start, stop } from './wallet/start.ts'

const container = document.querySelector('#root')
if (container === null) throw new Error('The page has no #root element.')
const root = createRoot(container)

try {
  const wallet = open(readWalletConfig(document))
  root.render(
    <StrictMode>
      <WalletContext value={wallet}>
        <App />
      </WalletContext>
    </StrictMode>,
  )
} catch (error) {
  root.render(<Misconfigured error={error} />)
}

function open(config: WalletConfig): DeveloperWallet {
  const storage = pageStorage()
  const metadata = {
    name: 'Latchkey Wallet',
    description: 'The developer wallet of Latchkey',
    url: location.origin,
    icons: [`data:image/svg+xml,${encodeURIComponent(icon)}`],
  }
  const wallet = createDeveloperWallet({
    config,
    adapters: [createEvmAdapter(), createSolanaAdapter(), createBitcoinAdapter(), createPolkadotAdapter()],
    storage,
    clock: systemClock,
    open: () => createWallet({ relayUrl: config.relay, projectId: config.projectId, metadata, storage }),
    createCacao,
  })
  // Older browsers have no Web Locks. There, a new tab doesn't replace the others.
  becomeOnlyTab(navigator.locks, () => stop(wallet, 'elsewhere'))
  start(wallet)
  const link = getLink()
  if (link !== undefined) void pair(wallet, link)
  return wallet
}

/** Removes the pairing URI from the page's address, so that a reload doesn't pair twice. */
function getLink(): string | undefined {
  const link = new URLSearchParams(location.search).get('uri') ?? undefined
  if (link !== undefined || location.pathname !== '/') history.replaceState(undefined, '', '/')
  return link
}
