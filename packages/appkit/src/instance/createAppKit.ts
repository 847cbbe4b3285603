import { createLatchkey, disconnect, start } from '@latchkey/core'
import { attachModal } from '@latchkey/modal'
import { createStore } from 'zustand/vanilla'
import { defineElements } from '../elements/defineElements.ts'
import type { AppKitEvent } from '../events/appKitEvent.ts'
import { followEvents } from '../events/followEvents.ts'
import type { AppKitOptions } from '../options/appKitOptions.ts'
import { toLatchkeyOptions } from '../options/toLatchkeyOptions.ts'
import { applyThemeVariables } from '../theme/themeVariables.ts'
import type { AppKit } from './appKit.ts'
import type { AppKitContext, ThemeState } from './appKitContext.ts'
import { createAppKitState, followAppKitState } from './appKitState.ts'
import { createAccountMethods } from './createAccountMethods.ts'
import { createConnectionMethods } from './createConnectionMethods.ts'
import { createModalMethods } from './createModalMethods.ts'
import { createNetworkMethods } from './createNetworkMethods.ts'
import { createOptionMethods } from './createOptionMethods.ts'
import { createStateMethods } from './createStateMethods.ts'
import { currentAppKit } from './currentAppKit.ts'
import { hideAlerts } from './hideAlerts.ts'

/**
 * Creates the instance that hooks, composables and elements use. In a page it discovers wallets, restores connections and
 * adds the modal to the page; on a server it does none of that. A second call replaces the first instance.
 *
 * @param options those of AppKit, and `latchkey` with the operator's services
 * @returns the instance
 * @throws LatchkeyError `config/invalid` with all mistakes; `appkit/networks-missing` if an adapter has no network
 * @example
 * import { mainnet } from '@latchkey/appkit/networks'
 * import { EthersAdapter } from '@latchkey/appkit/adapter-ethers'
 * createAppKit({ adapters: [new EthersAdapter()], networks: [mainnet], projectId })
 */
export function createAppKit(options: AppKitOptions): AppKit {
  const context = createContext(options)
  // A mistake in the options leaves the previous instance as it is.
  currentAppKit.getState().appKit?.destroy()
  const stop = typeof document === 'undefined' ? () => {} : startInPage(context)
  const appKit: AppKit = {
    latchkey: context.latchkey,
    context,
    ...createModalMethods(context),
    ...createAccountMethods(context),
    ...createNetworkMethods(context),
    ...createConnectionMethods(context),
    ...createOptionMethods(context),
    ...createStateMethods(context),
    destroy() {
      stop()
      if (currentAppKit.getState().appKit === appKit) currentAppKit.setState({ appKit: undefined }, true)
    },
  }
  currentAppKit.setState({ appKit }, true)
  return appKit
}

function createContext(options: AppKitOptions): AppKitContext {
  const { adapters = [], themeMode, themeVariables = {} } = options
  const latchkey = createLatchkey(toLatchkeyOptions(options))
  return {
    latchkey,
    adapters,
    state: createAppKitState({ latchkey }),
    options: createStore<AppKitOptions>(() => options),
    look: createStore<ThemeState>(() => ({ themeMode, themeVariables })),
    event: createStore<AppKitEvent>(() => ({ timestamp: 0, data: { type: 'track', event: 'MODAL_CREATED' } })),
    progress: createStore(() => ({ loading: false, initialized: false })),
  }
}

/** Starts the parts that need a page. Returns a function that ends them. */
function startInPage(context: AppKitContext): () => void {
  const { latchkey, adapters, options, look, progress } = context
  defineElements(window)
  const theme = applyThemeVariables(document)
  theme.set(look.getState().themeVariables)
  if (options.getState().enableReconnect === false) void disconnect(latchkey)
  const stops = [
    // Before the start, so that the modal receives each event.
    attachModal(latchkey),
    followEvents(context),
    followAppKitState(context),
    hideAlerts(context),
    start(latchkey),
    ...adapters.map((adapter) => adapter.attach?.({ latchkey }) ?? (() => {})),
    look.subscribe(({ themeVariables }) => theme.set(themeVariables)),
    theme.remove,
    renderLater(context),
  ]
  if (options.getState().projectId === '') latchkey.events.emit({ type: 'problem', code: 'project-id-not-configured' })
  progress.setState({ initialized: true })
  return () => {
    for (const stop of stops) stop()
  }
}

/** Loads the code that renders the modal and the elements. Hooks and actions work without it. */
function renderLater(context: AppKitContext): () => void {
  let isEnded = false
  let end = (): void => void (isEnded = true)
  void import('../elements/renderPage.tsx').then(
    ({ renderPage }) => {
      if (!isEnded) end = renderPage(context)
    },
    (error: unknown) => console.error(error),
  )
  return () => end()
}
