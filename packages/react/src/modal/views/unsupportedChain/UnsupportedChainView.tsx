import type { ReactElement } from 'react'

export default function UnsupportedChainView(): ReactElement {
  return <p className="hint">…</p>
}
