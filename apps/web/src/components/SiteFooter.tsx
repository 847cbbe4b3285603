import type { ReactElement } from 'react'

export function SiteFooter(): ReactElement {
  return (
    <footer className="site-footer">
      <p>Latchkey is MIT licensed. No account, no vendor, no telemetry.</p>
      <p>The keys of the local world are public. Never send anything of value to them.</p>
    </footer>
  )
}
