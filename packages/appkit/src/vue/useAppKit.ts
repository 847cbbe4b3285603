import type { RecentWallet, WalletConnection } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue'
import type { StoreApi } from 'zustand/vanilla'
import type { AppKitEvent } from '../events/appKitEvent.ts'
import type { AppKit } from '../instance/appKit.ts'
import type { ThemeState } from '../instance/appKitContext.ts'
import type { AppKitState } from '../instance/appKitState.ts'
import type { AppKitAccount, AppKitWalletInfo, WalletProviderType } from '../instance/createAccountMethods.ts'
import type { AppKitNetworkState } from '../instance/readNetworkState.ts'
import { currentAppKit, requireAppKit } from '../instance/currentAppKit.ts'

type Source = Pick<StoreApi<unknown>, 'subscribe'>

/** Creates a ref of a value of the current instance. It follows the instance until the scope of the component ends. */
function useLive<value>(
  sourceOf: (appKit: AppKit) => Source,
  read: (appKit: AppKit) => value,
): Readonly<ShallowRef<value>> {
  const live = shallowRef(read(requireAppKit()))
  let stop = (): void => {}
  const follow = (): void => {
    stop()
    const { appKit } = currentAppKit.getState()
    if (appKit === undefined) return
    const update = (): void => void (live.value = read(appKit))
    update()
    stop = sourceOf(appKit).subscribe(update)
  }
  follow()
  const stopFollowing = currentAppKit.subscribe(follow)
  onScopeDispose(() => {
    stop()
    stopFollowing()
  })
  return live
}

const walletOf = ({ latchkey }: AppKit): Source => latchkey.wallet

/**
 * Returns the functions that open and close the modal.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { open } = useAppKit()
 */
export function useAppKit(): Pick<AppKit, 'open' | 'close'> {
  requireAppKit()
  return { open: (options) => requireAppKit().open(options), close: () => requireAppKit().close() }
}

/**
 * Returns the account of a namespace; of the active one if omitted.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const account = useAppKitAccount()
 */
export function useAppKitAccount({ namespace }: { namespace?: Namespace } = {}): Readonly<ShallowRef<AppKitAccount>> {
  return useLive(walletOf, ({ getAccount }) => getAccount(namespace))
}

/**
 * Returns the network of the active namespace, and the function that switches it.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const network = useAppKitNetwork()
 */
export function useAppKitNetwork(): Readonly<ShallowRef<AppKitNetworkState & Pick<AppKit, 'switchNetwork'>>> {
  return useLive(walletOf, ({ getNetworkState, switchNetwork }) => ({ ...getNetworkState(), switchNetwork }))
}

/**
 * Returns the provider of the wallet that is connected in a namespace.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const provider = useAppKitProvider<{ request(args: { method: string }): Promise<unknown> }>('eip155')
 */
export function useAppKitProvider<provider>(
  namespace: Namespace,
): Readonly<ShallowRef<{ walletProvider: provider | undefined; walletProviderType: WalletProviderType | undefined }>> {
  return useLive(walletOf, ({ getProvider, getProviderType }) => ({
    walletProvider: getProvider<provider>(namespace),
    walletProviderType: getProviderType(namespace),
  }))
}

/**
 * Returns the state of the modal and the selected network.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const state = useAppKitState()
 */
export function useAppKitState(): Readonly<ShallowRef<AppKitState>> {
  return useLive(
    ({ context }) => context.state,
    ({ getState }) => getState(),
  )
}

/**
 * Returns the theme, and functions that change it.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const theme = useAppKitTheme()
 */
export function useAppKitTheme(): Readonly<
  ShallowRef<ThemeState & Pick<AppKit, 'setThemeMode' | 'setThemeVariables'>>
> {
  return useLive(
    ({ context }) => context.look,
    ({ context, setThemeMode, setThemeVariables }) => ({ ...context.look.getState(), setThemeMode, setThemeVariables }),
  )
}

/**
 * Returns the last event.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const event = useAppKitEvents()
 */
export function useAppKitEvents(): Readonly<ShallowRef<AppKitEvent>> {
  return useLive(
    ({ context }) => context.event,
    ({ getEvent }) => getEvent(),
  )
}

/**
 * Returns the wallet that is connected in a namespace; in the active one if omitted.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const walletInfo = useWalletInfo()
 */
export function useWalletInfo(namespace?: Namespace): Readonly<ShallowRef<AppKitWalletInfo | undefined>> {
  return useLive(walletOf, ({ getWalletInfo }) => getWalletInfo(namespace))
}

/**
 * Returns the connected wallets, and those that were used last.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const connections = useAppKitConnections('eip155')
 */
export function useAppKitConnections(
  namespace?: Namespace,
): Readonly<ShallowRef<{ connections: readonly WalletConnection[]; recentConnections: readonly RecentWallet[] }>> {
  return useLive(walletOf, ({ getConnections, getRecentConnections }) => ({
    connections: getConnections(namespace),
    recentConnections: getRecentConnections(),
  }))
}

/**
 * Returns the function that disconnects all wallets, or those of a namespace.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { disconnect } = useDisconnect()
 */
export function useDisconnect(): { disconnect(target?: { namespace?: Namespace }): Promise<void> } {
  requireAppKit()
  return { disconnect: ({ namespace } = {}) => requireAppKit().disconnect(namespace) }
}
