import type { ReactElement } from 'react'

export default function NetworksView(): ReactElement {
  return <p className="hint">…</p>
}
