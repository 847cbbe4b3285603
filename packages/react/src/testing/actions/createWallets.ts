import { fakeConnector, type FakeLogin } from '@latchkey/core/fakes'
import { connectionError } from '@latchkey/protocol'

/** Creates wallets that grant, ignore or reject requests, and two of them that ignore aborts or have two namespaces. */
export function createWallets(login: FakeLogin) {
  return {
    granting: fakeConnector({ id: 'granting', name: 'Granting Wallet' }),
    solana: fakeConnector({ id: 'solana', name: 'Granting Wallet', namespaces: ['solana'] }),
    silent: fakeConnector({ id: 'silent', name: 'Silent Wallet', neverResponds: true }),
    deaf: fakeConnector({ id: 'deaf', name: 'Deaf Wallet', neverResponds: true, ignoresAbort: true }),
    rejecting: fakeConnector({
      id: 'rejecting',
      name: 'Rejecting Wallet',
      rejectWith: connectionError('connection/rejected', { wallet: 'Rejecting Wallet' }),
    }),
    phone: fakeConnector({
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'walletConnect',
      namespaces: ['eip155', 'solana'],
      uris: ['wc:1@2?relay-protocol=irn&symKey=1', 'wc:2@2?relay-protocol=irn&symKey=2'],
      neverResponds: true,
    }),
    embedded: fakeConnector({
      id: 'embedded',
      name: 'Email & Socials',
      type: 'embedded',
      namespaces: ['eip155', 'solana'],
      login,
    }),
  }
}
