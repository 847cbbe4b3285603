import type { Latchkey, WalletState } from '@latchkey/core'
import type { StoreApi } from 'zustand/vanilla'
import type { AppKitAdapter } from '../adapters/appKitAdapter.ts'
import type { AppKitEvent } from '../events/appKitEvent.ts'
import type { AppKitOptions } from '../options/appKitOptions.ts'
import type { AppKitState, Progress } from './appKitState.ts'
import type { ThemeMode, ThemeVariables } from '../theme/themeVariables.ts'

/** The look of the modal and the buttons. Without a mode, the preference of the system applies. */
export type ThemeState = { readonly themeMode: ThemeMode | undefined; readonly themeVariables: ThemeVariables }

/** The state that AppKit adds to an instance of Latchkey. */
export type AppKitContext = {
  readonly latchkey: Latchkey
  readonly adapters: readonly AppKitAdapter[]
  readonly options: StoreApi<AppKitOptions>
  readonly look: StoreApi<ThemeState>
  /** The last event. */
  readonly event: StoreApi<AppKitEvent>
  readonly state: StoreApi<AppKitState>
  readonly progress: StoreApi<Progress>
}

/** Returns an instance as it was in a wallet state, for what renders a snapshot. */
export function withWalletState(
  { latchkey, adapters }: Pick<AppKitContext, 'latchkey' | 'adapters'>,
  state: WalletState,
): Pick<AppKitContext, 'latchkey' | 'adapters'> {
  return { adapters, latchkey: { ...latchkey, wallet: { ...latchkey.wallet, getState: () => state } } }
}
