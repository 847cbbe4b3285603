import type { ReactNode } from 'react'

/** Renders the avatar of an account in the buttons of the page. The modal shows Latchkey's own. */
export type AvatarComponent = (props: {
  address: string
  /** The picture of the ENS name. Null without one. */
  ensImage?: string | null
  size: number
}) => ReactNode
