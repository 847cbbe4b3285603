import type { ReactElement } from 'react'

export default function ConnectingExternalView(): ReactElement {
  return <p className="hint">…</p>
}
