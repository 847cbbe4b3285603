import type { ReactElement } from 'react'

export default function AccountView(): ReactElement {
  return <p className="hint">…</p>
}
