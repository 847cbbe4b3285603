import { mainnet, sepolia } from 'viem/chains'

/** The chains of the app: the page connects to them, and the server accepts sign-ins for them. */
export const chains = [mainnet, sepolia] as const
