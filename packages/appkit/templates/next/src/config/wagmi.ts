import { WagmiAdapter } from '@reown/appkit-adapter-wagmi'
import { arbitrum, mainnet, type AppKitNetwork } from '@reown/appkit/networks'
import { cookieStorage, createStorage } from 'wagmi'

export const projectId = 'b56e18d47c72ab683b10814fe9495694'
export const networks: [AppKitNetwork, ...AppKitNetwork[]] = [mainnet, arbitrum]

export const wagmiAdapter = new WagmiAdapter({
  storage: createStorage({ storage: cookieStorage }),
  ssr: true,
  projectId,
  networks,
})
