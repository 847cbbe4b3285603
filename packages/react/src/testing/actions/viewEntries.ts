import { fakeHash } from '@latchkey/core/fakes'
import type { ViewEntry } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import { sentItem } from '../sentItem.ts'

const chainId = 'eip155:1'

const wallet: WalletListEntry = {
  id: 'wallet-1',
  name: 'Wallet 1',
  image_id: 'image-1',
  chains: [chainId],
  chrome_store: 'https://store.invalid/1',
  app_store: 'https://store.invalid/2',
}

/** The views whose parameters are optional. */
const plain = [
  'Connect',
  'ConnectWallets',
  'Account',
  'AllWallets',
  'ConnectingWalletConnectBasic',
  'ConnectingWalletConnect',
  'ConnectingSiwe',
  'ConnectingFarcaster',
  'EmailLogin',
  'ConnectSocials',
  'UpdateEmail',
  'UpdateEmailPrimaryOtp',
  'SIWXSignMessage',
  'ApproveTransaction',
  'UnsupportedChain',
  'RegisterAccountName',
  'RegisterAccountNameSuccess',
  'Networks',
  'GetWallet',
  'WhatIsAWallet',
  'WhatIsANetwork',
  'ProfileWallets',
  'AccountSettings',
  'Approvals',
  'ManageTokens',
  'Transactions',
  'WalletSend',
  'WalletSendSelectToken',
  'ScanCode',
  'WalletSendPreview',
  'WalletReceive',
  'WalletCompatibleNetworks',
  'Swap',
  'SwapPreview',
  'OnRampProviders',
  'OnRampTokenSelect',
  'OnRampFiatSelect',
  'BuyInProgress',
  'OnRampActivity',
  'ChooseAccountName',
  'ManageAccountName',
] as const

/** An entry for each view, and further ones for those with parameters. */
export const viewEntries: readonly ViewEntry[] = [
  ...plain.map((view) => ({ view, params: {} }) as ViewEntry),
  { view: 'Connect', params: { namespace: 'solana' } },
  { view: 'ConnectingExternal', params: { connectorId: 'granting' } },
  { view: 'ConnectingExternal', params: { connectorId: 'silent' } },
  { view: 'ConnectingExternal', params: { connectorId: 'rejecting' } },
  { view: 'ConnectingExternal', params: { connectorId: 'missing' } },
  { view: 'ConnectingExternal', params: { connectorId: 'granting', others: ['solana'] } },
  { view: 'ConnectingWalletConnect', params: { wallet } },
  { view: 'ConnectingMultiChain', params: { connectorIds: ['granting', 'solana'] } },
  { view: 'EmailVerifyDevice', params: { email: 'ann@mail.example', match: '42' } },
  { view: 'EmailVerifyOtp', params: { email: 'ann@mail.example' } },
  { view: 'ConnectingSocial', params: { provider: 'google' } },
  { view: 'ConnectingSocial', params: { provider: 'farcaster' } },
  { view: 'UpdateEmailPrimaryOtp', params: { newEmail: 'bob@mail.example' } },
  { view: 'UpdateEmailSecondaryOtp', params: { newEmail: 'bob@mail.example' } },
  { view: 'Downloads', params: { wallet } },
  { view: 'SwitchActiveChain', params: { namespace: 'solana' } },
  { view: 'SwitchActiveChain', params: { namespace: 'eip155', chainId: 'eip155:2' } },
  { view: 'Transaction', params: { chainId, hash: sentItem.metadata.hash, item: sentItem } },
  { view: 'Transaction', params: { chainId, hash: fakeHash('w', 2) } },
  { view: 'SwapSelectToken', params: { side: 'from' } },
  { view: 'SwapSelectToken', params: { side: 'to' } },
]
