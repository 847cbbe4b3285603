import { BitcoinAdapter, type BitcoinConnector } from '@reown/appkit-adapter-bitcoin'
import { SolanaAdapter } from '@reown/appkit-adapter-solana'
import { WagmiAdapter } from '@reown/appkit-adapter-wagmi'
import { createAppKitWalletButton } from '@reown/appkit-wallet-button'
import { useAppKitWallet } from '@reown/appkit-wallet-button/react'
import { bitcoin, mainnet, polygon, solana, type AppKitNetwork } from '@reown/appkit/networks'
import {
  AppKitButton,
  AppKitNetworkButton,
  createAppKit,
  useAppKit,
  useAppKitAccount,
  useAppKitNetwork,
  useAppKitProvider,
  useDisconnect,
} from '@reown/appkit/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { useAccount, WagmiProvider } from 'wagmi'

const projectId = 'b56e18d47c72ab683b10814fe9495694'
const networks: [AppKitNetwork, ...AppKitNetwork[]] = [mainnet, polygon, solana, bitcoin]
const wagmiAdapter = new WagmiAdapter({ networks, projectId })

const modal = createAppKit({
  adapters: [wagmiAdapter, new SolanaAdapter(), new BitcoinAdapter()],
  networks,
  projectId,
  metadata: { name: 'Multichain', description: 'Three namespaces', url: 'https://example.com', icons: [] },
  themeMode: 'dark',
})
const walletButton = createAppKitWalletButton({ namespace: 'solana' })

function Account(): ReactElement {
  const { open } = useAppKit()
  const evm = useAppKitAccount({ namespace: 'eip155' })
  const sol = useAppKitAccount({ namespace: 'solana' })
  const btc = useAppKitAccount({ namespace: 'bip122' })
  const { caipNetwork, switchNetwork } = useAppKitNetwork()
  const { walletProvider } = useAppKitProvider<BitcoinConnector>('bip122')
  const { disconnect } = useDisconnect()
  const { address: wagmiAddress } = useAccount()
  const { connect, data } = useAppKitWallet({ namespace: 'eip155' })
  return (
    <main>
      <AppKitButton namespace="eip155" balance="hide" />
      <AppKitNetworkButton />
      <appkit-wallet-button wallet="Dev Solana" namespace="solana" />
      <p>Ethereum: {evm.address ?? 'none'}</p>
      <p>Solana: {sol.address ?? 'none'}</p>
      <p>Bitcoin: {btc.address ?? walletProvider?.name ?? 'none'}</p>
      <p>wagmi: {wagmiAddress ?? 'none'}</p>
      <p>Network: {caipNetwork?.name}</p>
      <p>Button: {data?.address}</p>
      <p>Modal: {modal.getActiveChainNamespace()}</p>
      <button onClick={() => open({ namespace: 'solana' })}>Open Solana</button>
      <button onClick={() => connect('dev.wallet')}>Connect with a button</button>
      <button onClick={() => walletButton.connect('Dev Solana')}>Connect Solana</button>
      <button onClick={() => switchNetwork(polygon)}>Switch to Polygon</button>
      <button onClick={() => switchNetwork(solana)}>Switch to Solana</button>
      <button onClick={() => disconnect({ namespace: 'solana' })}>Disconnect Solana</button>
      <button onClick={() => disconnect()}>Disconnect all</button>
    </main>
  )
}

const container = document.createElement('div')
document.body.append(container)
createRoot(container).render(
  <WagmiProvider config={wagmiAdapter.wagmiConfig}>
    <QueryClientProvider client={new QueryClient()}>
      <Account />
    </QueryClientProvider>
  </WagmiProvider>,
)
