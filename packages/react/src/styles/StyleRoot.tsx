import { useMemo, type ReactElement, type ReactNode } from 'react'
import { LatchkeyContext, useLatchkeyContext } from '../context.ts'

/**
 * Applies the styles of the components below to a shadow root. Needed if a portal renders them there, because the styles of
 * the page don't reach into it.
 *
 * @param props `root`: the shadow root
 * @throws Error outside of a `LatchkeyProvider`
 * @example
 * import { createPortal } from 'react-dom'
 * const root = button.attachShadow({ mode: 'open' })
 * const portal = createPortal(<StyleRoot root={root}><ConnectButton /></StyleRoot>, root)
 */
export function StyleRoot({ root, children }: { root: ShadowRoot; children?: ReactNode }): ReactElement {
  const context = useLatchkeyContext()
  const below = useMemo(() => ({ ...context, styleRoot: root }), [context, root])
  return <LatchkeyContext.Provider value={below}>{children}</LatchkeyContext.Provider>
}
