import type { ReactElement } from 'react'

export default function AllWalletsView(): ReactElement {
  return <p className="hint">…</p>
}
