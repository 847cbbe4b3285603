import { ChainIcon, ConnectKitButton, ConnectKitProvider, getDefaultConfig, useModal, type Types } from 'connectkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactElement, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useAccount, useDisconnect, useSignMessage, useSwitchChain, WagmiProvider } from 'wagmi'
import { mainnet, polygon } from 'wagmi/chains'

// No test reads a chain.
const nowhere = 'http://127.0.0.1:9/'

const config = createConfig(
  getDefaultConfig({
    appName: 'ConnectKit App',
    appDescription: 'An app',
    appUrl: 'https://example.com',
    appIcon: 'https://example.com/logo.png',
    walletConnectProjectId: 'YOUR_PROJECT_ID',
    chains: [mainnet, polygon],
    transports: { [mainnet.id]: http(nowhere), [polygon.id]: http(nowhere) },
  }),
)

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function CustomAvatar({ size }: Types.CustomAvatarProps): ReactNode {
  return <span>avatar of {size}</span>
}

function Account(): ReactElement {
  const { address, chainId, isConnected, status } = useAccount()
  const { disconnect } = useDisconnect()
  const { switchChain } = useSwitchChain()
  const { signMessage, data } = useSignMessage()
  const { open, setOpen, openSwitchNetworks, openProfile } = useModal()
  return (
    <main>
      <ConnectKitButton label="Connect me" />
      <ConnectKitButton.Custom>
        {({ isConnected: isShown, show, truncatedAddress, ensName, chain }) => (
          <button onClick={show}>
            {isShown ? `${ensName ?? truncatedAddress} on ${chain?.name}` : 'Custom connect'}
          </button>
        )}
      </ConnectKitButton.Custom>
      <ChainIcon id={chainId} />
      <p>Status: {status}</p>
      <p>Modal: {open ? 'open' : 'closed'}</p>
      <p>wagmi: {isConnected ? `${address} on ${chainId}` : 'none'}</p>
      <p>Signature: {data}</p>
      <button onClick={() => setOpen(true)}>Open</button>
      <button onClick={openSwitchNetworks}>Open networks</button>
      <button onClick={openProfile}>Open profile</button>
      <button onClick={() => switchChain({ chainId: mainnet.id })}>Switch to Ethereum</button>
      <button onClick={() => signMessage({ message: 'Hello ConnectKit' })}>Sign</button>
      <button onClick={() => disconnect()}>Disconnect</button>
    </main>
  )
}

const container = document.createElement('div')
document.body.append(container)
createRoot(container).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <ConnectKitProvider
          theme="soft"
          mode="dark"
          customTheme={{ '--ck-accent-color': '#00d54b' }}
          options={{ customAvatar: CustomAvatar, language: 'en-US' }}
        >
          <Account />
        </ConnectKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
