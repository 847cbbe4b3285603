import type { Latchkey } from '@latchkey/core'
import { AccountButton, ConnectButton, LatchkeyProvider, NetworkButton, StyleRoot, WalletButton } from '@latchkey/react'
import { useSyncExternalStore, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { StoreApi } from 'zustand/vanilla'
import type { ButtonKind, ButtonValues, Page } from './mountedEntry.ts'

/**
 * Renders the modal of an instance and its buttons.
 *
 * @returns a function that removes them
 */
export function renderButtons({ latchkey, store }: { latchkey: Latchkey; store: StoreApi<Page> }): () => void {
  const container = document.createElement('div')
  container.dataset['latchkey'] = 'page'
  document.body.append(container)
  const root = createRoot(container)
  root.render(<Buttons latchkey={latchkey} store={store} />)
  return () => {
    // Not during a rendering of the app, which React refuses.
    queueMicrotask(() => root.unmount())
    container.remove()
  }
}

function Buttons({ latchkey, store }: { latchkey: Latchkey; store: StoreApi<Page> }): ReactElement {
  const { look, entries } = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  return (
    <LatchkeyProvider latchkey={latchkey} theme={look.theme} locale={look.locale}>
      {entries.map(({ key, kind, target, props }) => {
        const button = <Button kind={kind} {...props} />
        const content = target instanceof ShadowRoot ? <StyleRoot root={target}>{button}</StyleRoot> : button
        return createPortal(content, target, String(key))
      })}
    </LatchkeyProvider>
  )
}

function Button({
  kind,
  wallet = 'walletConnect',
  showBalance,
  label,
  ...shared
}: ButtonValues & { kind: ButtonKind }) {
  switch (kind) {
    case 'connect':
      return <ConnectButton {...shared} label={label} showBalance={showBalance} />
    case 'account':
      return <AccountButton {...shared} showBalance={showBalance} />
    case 'network':
      return <NetworkButton {...shared} label={label} />
    case 'wallet':
      return <WalletButton {...shared} label={label} wallet={wallet} />
  }
}
