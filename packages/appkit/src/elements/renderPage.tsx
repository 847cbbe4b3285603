import { readButtonAttributes } from '@latchkey/elements/internal'
import {
  AccountButton,
  ConnectButton,
  LatchkeyEmbed,
  LatchkeyProvider,
  NetworkButton,
  StyleRoot,
  WalletButton,
} from '@latchkey/react'
import { useSyncExternalStore, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { AppKitContext } from '../instance/appKitContext.ts'
import { mountedElements } from '../instance/currentAppKit.ts'
import { toWalletId } from '../wallets/walletIds.ts'
import type { MountedElement } from './mountedElement.ts'

/**
 * Renders the modal of an instance, and the contents of the elements in the page.
 *
 * @returns a function that removes them
 */
export function renderPage(context: AppKitContext): () => void {
  const container = document.createElement('div')
  container.dataset['latchkey'] = 'appkit'
  document.body.append(container)
  const root = createRoot(container)
  root.render(<Page context={context} />)
  return () => {
    // Not during a rendering of the app, which React refuses.
    queueMicrotask(() => root.unmount())
    container.remove()
  }
}

function Page({ context }: { context: AppKitContext }): ReactElement {
  const { latchkey, look, options } = context
  const { themeMode = 'system' } = useSyncExternalStore(look.subscribe, look.getState, look.getState)
  const elements = useSyncExternalStore(mountedElements.subscribe, mountedElements.getState, mountedElements.getState)
  const { latchkey: services, enableEmbedded = false } = options.getState()
  return (
    <LatchkeyProvider latchkey={latchkey} theme={themeMode} locale={services?.locale}>
      {elements.map((element) =>
        createPortal(
          <StyleRoot root={element.root}>
            <ElementContent element={element} isEmbedded={enableEmbedded} />
          </StyleRoot>,
          element.root,
          String(element.id),
        ),
      )}
    </LatchkeyProvider>
  )
}

function ElementContent({
  element: { kind, attributes },
  isEmbedded,
}: {
  element: MountedElement
  isEmbedded: boolean
}): ReactElement | null {
  const { label, ...shared } = readButtonAttributes(attributes)
  const loadingLabel = attributes.get('loadinglabel') ?? attributes.get('loading-label')
  const showBalance = attributes.get('balance') === 'show'
  switch (kind) {
    case 'button':
      return <ConnectButton {...shared} label={label} loadingLabel={loadingLabel} showBalance={showBalance} />
    case 'connect-button':
      return <ConnectButton {...shared} label={label} loadingLabel={loadingLabel} />
    case 'account-button':
      return <AccountButton {...shared} showBalance={attributes.get('balance') !== 'hide'} />
    case 'network-button':
      return <NetworkButton {...shared} label={label} />
    case 'wallet-button':
      return <WalletButton {...shared} label={label} wallet={toWalletId(attributes.get('wallet') ?? 'walletConnect')} />
    case 'modal':
      return isEmbedded ? <LatchkeyEmbed /> : null
  }
}
