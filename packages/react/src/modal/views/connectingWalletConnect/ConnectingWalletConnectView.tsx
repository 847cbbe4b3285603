import type { ReactElement } from 'react'

export default function ConnectingWalletConnectView(): ReactElement {
  return <p className="hint">…</p>
}
