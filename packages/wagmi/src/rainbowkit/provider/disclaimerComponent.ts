import type { ReactNode } from 'react'

/** Renders a text below the wallets in the original. It has no effect here: `latchkey.legal` names documents to accept. */
export type DisclaimerComponent = (props: {
  Text: (props: { children: ReactNode }) => ReactNode
  Link: (props: { children: ReactNode; href: string }) => ReactNode
}) => ReactNode
