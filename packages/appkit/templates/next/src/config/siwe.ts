import { createSIWEConfig, formatMessage, type SIWEVerifyMessageArgs } from '@reown/appkit-siwe'
import { networks } from './wagmi'

type Session = { address: string; chainId: number }

/** Signs users in at the routes of this app. */
export const siweConfig = createSIWEConfig({
  getMessageParams: async () => ({
    domain: window.location.host,
    uri: window.location.origin,
    chains: networks.map(({ id }) => Number(id)),
    statement: 'Sign in to the Next app.',
  }),
  createMessage: ({ address, ...rest }) => formatMessage(rest, address),
  getNonce: async () => (await fetch('/api/siwe/nonce')).text(),
  getSession: async () => {
    const session = (await (await fetch('/api/siwe/session')).json()) as Session | null
    return session
  },
  verifyMessage: async ({ message, signature }: SIWEVerifyMessageArgs) => {
    const body = JSON.stringify({ message, signature })
    return (await fetch('/api/siwe/verify', { method: 'POST', body })).ok
  },
  signOut: async () => (await fetch('/api/siwe/session', { method: 'DELETE' })).ok,
})
