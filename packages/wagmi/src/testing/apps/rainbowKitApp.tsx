import {
  ConnectButton,
  darkTheme,
  getDefaultConfig,
  RainbowKitProvider,
  useAccountModal,
  useChainModal,
  useConnectModal,
} from '@rainbow-me/rainbowkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { http, useAccount, useDisconnect, useSignMessage, useSwitchChain, WagmiProvider } from 'wagmi'
import { arbitrum, mainnet } from 'wagmi/chains'

// No test reads a chain.
const nowhere = 'http://127.0.0.1:9/'

const config = getDefaultConfig({
  appName: 'RainbowKit App',
  projectId: 'YOUR_PROJECT_ID',
  chains: [mainnet, arbitrum],
  transports: { [mainnet.id]: http(nowhere), [arbitrum.id]: http(nowhere) },
  ssr: false,
})

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function Account(): ReactElement {
  const { address, chainId, isConnected, status } = useAccount()
  const { disconnect } = useDisconnect()
  const { switchChain } = useSwitchChain()
  const { signMessage, data } = useSignMessage()
  const { openConnectModal } = useConnectModal()
  const { openAccountModal } = useAccountModal()
  const { openChainModal } = useChainModal()
  return (
    <main>
      <ConnectButton label="Connect me" accountStatus="address" showBalance={false} />
      <ConnectButton.Custom>
        {({ account, chain, mounted, openConnectModal: open }) =>
          mounted && account && chain ? (
            <p>
              Custom: {account.displayName} on {chain.name}
            </p>
          ) : (
            <button onClick={open}>Custom connect</button>
          )
        }
      </ConnectButton.Custom>
      <p>Status: {status}</p>
      <p>wagmi: {isConnected ? `${address} on ${chainId}` : 'none'}</p>
      <p>Signature: {data}</p>
      {openConnectModal && <button onClick={openConnectModal}>Open connect</button>}
      {openAccountModal && <button onClick={openAccountModal}>Open account</button>}
      {openChainModal && <button onClick={openChainModal}>Open chains</button>}
      <button onClick={() => switchChain({ chainId: mainnet.id })}>Switch to Ethereum</button>
      <button onClick={() => signMessage({ message: 'Hello RainbowKit' })}>Sign</button>
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
        <RainbowKitProvider theme={darkTheme({ accentColor: '#7b3fe4' })} locale="en-US" initialChain={arbitrum}>
          <Account />
        </RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
