import { createAppKit, useAppKit, useAppKitAccount, useAppKitNetwork, useDisconnect } from '@reown/appkit/react'
import { WagmiAdapter } from '@reown/appkit-adapter-wagmi'
import { arbitrum, mainnet, type AppKitNetwork } from '@reown/appkit/networks'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { useAccount, useSignMessage, useSwitchChain, WagmiProvider } from 'wagmi'

const queryClient = new QueryClient()
const projectId = 'b56e18d47c72ab683b10814fe9495694'
const networks: [AppKitNetwork, ...AppKitNetwork[]] = [mainnet, arbitrum]
const wagmiAdapter = new WagmiAdapter({ networks, projectId, ssr: true })

createAppKit({
  adapters: [wagmiAdapter],
  networks,
  projectId,
  metadata: {
    name: 'AppKit Example',
    description: 'AppKit with wagmi',
    url: 'https://example.com',
    icons: ['https://example.com/icon.png'],
  },
  themeMode: 'light',
  themeVariables: { '--w3m-accent': '#000000' },
  features: { analytics: true, email: false, socials: [] },
})

function Account(): ReactElement {
  const { open, close } = useAppKit()
  const { address, caipAddress, isConnected, status } = useAppKitAccount()
  const { caipNetwork, chainId, switchNetwork } = useAppKitNetwork()
  const { disconnect } = useDisconnect()
  const { address: wagmiAddress, chainId: wagmiChainId } = useAccount()
  const { switchChain } = useSwitchChain()
  const { signMessage, data } = useSignMessage()
  return (
    <main>
      <appkit-button balance="hide" />
      <w3m-network-button />
      <p>Status: {status}</p>
      <p>Address: {address}</p>
      <p>Account id: {caipAddress}</p>
      <p>
        Network: {caipNetwork?.name} {chainId}
      </p>
      <p>wagmi: {isConnected ? `${wagmiAddress} on ${wagmiChainId}` : 'none'}</p>
      <p>Signature: {data}</p>
      <button onClick={() => open()}>Open</button>
      <button onClick={() => open({ view: 'Networks' })}>Open networks</button>
      <button onClick={() => close()}>Close</button>
      <button onClick={() => switchNetwork(arbitrum)}>Switch to Arbitrum</button>
      <button onClick={() => switchChain({ chainId: mainnet.id })}>Switch to Ethereum with wagmi</button>
      <button onClick={() => signMessage({ message: 'Hello AppKit' })}>Sign</button>
      <button onClick={() => disconnect()}>Disconnect</button>
    </main>
  )
}

const container = document.createElement('div')
document.body.append(container)
createRoot(container).render(
  <StrictMode>
    <WagmiProvider config={wagmiAdapter.wagmiConfig}>
      <QueryClientProvider client={queryClient}>
        <Account />
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
