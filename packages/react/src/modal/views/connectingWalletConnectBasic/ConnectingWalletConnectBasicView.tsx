import type { ReactElement } from 'react'

export default function ConnectingWalletConnectBasicView(): ReactElement {
  return <p className="hint">…</p>
}
