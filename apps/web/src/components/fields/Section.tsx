import type { ReactElement, ReactNode } from 'react'

/** A collapsible group of options. */
export function Section({
  title,
  open,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}): ReactElement {
  return (
    <details className="section" open={open}>
      <summary>{title}</summary>
      <div className="section-body">{children}</div>
    </details>
  )
}
