import type { ReactElement } from 'react'

export function SiteFooter(): ReactElement {
  return (
    <footer className="site-footer">
      <p>Latchkey is MIT licensed. No account, no vendor, no telemetry.</p>
      <p>Keys of the local world are public: never send anything of worth to them.</p>
    </footer>
  )
}
