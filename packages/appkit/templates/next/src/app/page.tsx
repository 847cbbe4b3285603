'use client'

import { useAppKit, useAppKitAccount, useAppKitNetwork, useDisconnect } from '@reown/appkit/react'
import { arbitrum } from '@reown/appkit/networks'
import { useAccount } from 'wagmi'

export default function Page() {
  const { open } = useAppKit()
  const { address, isConnected } = useAppKitAccount()
  const { chainId, switchNetwork } = useAppKitNetwork()
  const { disconnect } = useDisconnect()
  const { address: wagmiAddress } = useAccount()
  return (
    <main>
      <appkit-button />
      <p>Connected: {String(isConnected)}</p>
      <p>Address: {address}</p>
      <p>wagmi: {wagmiAddress}</p>
      <p>Network: {chainId}</p>
      <button onClick={() => open()}>Open</button>
      <button onClick={() => switchNetwork(arbitrum)}>Switch to Arbitrum</button>
      <button onClick={() => disconnect()}>Disconnect</button>
    </main>
  )
}
