import { getAccount, type Connector, type Latchkey, type LatchkeyEvent } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { currentEntry, modalOf, type ViewEntry } from '@latchkey/modal'
import { parseAccountId } from '@latchkey/protocol'
import type { StoreApi } from 'zustand/vanilla'
import type { AppKitEvent, AppKitEventData } from './appKitEvent.ts'

type EventDetails = Omit<AppKitEventData, 'type' | 'address'>

/** The way to a wallet, as AppKit names it. */
const methods: { readonly [type in Connector['type']]: string } = {
  injected: 'browser',
  external: 'browser',
  walletConnect: 'qrcode',
  embedded: 'email',
}

/**
 * Writes the events of an instance into a store, under the names of AppKit.
 *
 * @returns a function that ends it
 */
export function followEvents({
  latchkey,
  event: store,
}: {
  latchkey: Latchkey
  event: StoreApi<AppKitEvent>
}): () => void {
  const report = (named: EventDetails | undefined): void => {
    if (named === undefined) return
    const isError = named.event.endsWith('_ERROR')
    const account = getAccount(latchkey)
    const address = 'address' in account ? account.address : undefined
    const data: AppKitEventData = { type: isError ? 'error' : 'track', ...named, ...(address && { address }) }
    store.setState({ timestamp: internalsOf(latchkey).clock.now(), data }, true)
  }
  let shown: ViewEntry | undefined
  const stops = [
    latchkey.events.subscribe((event) => report(nameEvent(latchkey, event))),
    modalOf(latchkey).state.subscribe((state) => {
      const entry = state.open ? currentEntry(state) : undefined
      if (entry === shown) return
      shown = entry
      if (entry !== undefined) report(nameView(latchkey, entry))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function nameEvent(latchkey: Pick<Latchkey, 'connectors' | 'wallet'>, event: LatchkeyEvent): EventDetails | undefined {
  switch (event.type) {
    case 'modal-open':
      return { event: 'MODAL_OPEN', properties: { connected: isConnected(latchkey) } }
    case 'modal-close':
      return { event: 'MODAL_CLOSE', properties: { connected: isConnected(latchkey) } }
    case 'connect': {
      const connector = findConnector(latchkey, event.connectorId)
      const method = methods[connector?.type ?? 'external']
      const caipNetworkId = chainOf(event.account)
      const properties = {
        method,
        name: connector?.name ?? event.connectorId,
        reconnect: event.restored,
        caipNetworkId,
      }
      return { event: 'CONNECT_SUCCESS', properties }
    }
    case 'connect-error': {
      const isRejected = event.code === 'connection/rejected' || event.code === 'request/rejected'
      if (event.code === 'connection/aborted') return undefined
      return { event: isRejected ? 'USER_REJECTED' : 'CONNECT_ERROR', properties: { message: event.code ?? 'unknown' } }
    }
    case 'disconnect':
      return { event: 'DISCONNECT_SUCCESS', properties: { namespace: event.namespace } }
    case 'network':
      return { event: 'SWITCH_NETWORK', properties: { network: event.chainId } }
    case 'sign-in-required':
      return undefined
    case 'sign-in':
      return { event: 'SIWX_AUTH_SUCCESS', properties: { network: chainOf(event.account) } }
    case 'sign-in-error':
      return {
        event: 'SIWX_AUTH_ERROR',
        properties: { network: chainOf(event.account), message: event.code ?? 'unknown' },
      }
    case 'sign-in-cancel':
      return { event: 'CLICK_CANCEL_SIWX' }
    case 'send-request':
      return { event: 'SEND_INITIATED', properties: { network: event.chainId } }
    case 'send':
      return { event: 'SEND_SUCCESS', properties: { network: event.chainId, hash: event.hash } }
    case 'send-error': {
      const isRejected = event.code === 'request/rejected'
      return { event: isRejected ? 'SEND_REJECTED' : 'SEND_ERROR', properties: { message: event.message } }
    }
    default:
      return undefined
  }
}

/** The events of views without properties. */
const viewEvents: { readonly [view in ViewEntry['view']]?: string } = {
  AllWallets: 'CLICK_ALL_WALLETS',
  WhatIsAWallet: 'CLICK_WALLET_HELP',
  WhatIsANetwork: 'CLICK_NETWORK_HELP',
  GetWallet: 'CLICK_GET_WALLET_HELP',
  Networks: 'CLICK_NETWORKS',
  SwapSelectToken: 'CLICK_SELECT_TOKEN_TO_SWAP',
  Transactions: 'CLICK_TRANSACTIONS',
  SIWXSignMessage: 'CLICK_SIGN_SIWX_MESSAGE',
  EmailLogin: 'EMAIL_LOGIN_SELECTED',
  EmailVerifyDevice: 'EMAIL_SUBMITTED',
  EmailVerifyOtp: 'EMAIL_VERIFICATION_CODE_SENT',
  UpdateEmail: 'EMAIL_EDIT',
  OnRampProviders: 'SELECT_BUY_CRYPTO',
  Swap: 'OPEN_SWAP',
  WalletSend: 'OPEN_SEND',
  RegisterAccountName: 'OPEN_ENS_FLOW',
  RegisterAccountNameSuccess: 'REGISTER_NAME_SUCCESS',
}

function nameView(latchkey: Pick<Latchkey, 'connectors'>, entry: ViewEntry): EventDetails | undefined {
  switch (entry.view) {
    case 'ConnectingExternal': {
      const name = findConnector(latchkey, entry.params.connectorId)?.name ?? entry.params.connectorId
      return { event: 'SELECT_WALLET', properties: { name, platform: 'browser' } }
    }
    case 'ConnectingWalletConnect':
      return {
        event: 'SELECT_WALLET',
        properties: { name: entry.params.wallet?.name ?? 'WalletConnect', platform: 'qrcode' },
      }
    case 'ConnectingSocial':
      return { event: 'SOCIAL_LOGIN_STARTED', properties: { provider: entry.params.provider } }
    case 'ConnectingFarcaster':
      return { event: 'SOCIAL_LOGIN_STARTED', properties: { provider: 'farcaster' } }
    default: {
      const event = viewEvents[entry.view]
      return event === undefined ? undefined : { event }
    }
  }
}

function findConnector({ connectors }: Pick<Latchkey, 'connectors'>, id: string): Connector | undefined {
  return connectors.getState().find((connector) => connector.id === id)
}

function isConnected({ wallet }: Pick<Latchkey, 'wallet'>): boolean {
  return Object.values(wallet.getState().namespaces).some((state) => state?.status === 'connected')
}

function chainOf(account: Parameters<typeof parseAccountId>[0]): string {
  return parseAccountId(account).chainId
}
